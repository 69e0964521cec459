"""What is written down in the demo gym, in three languages: tasks, a message, workouts."""

from typing import Final

TASKS: Final = {
    "en": (
        "Call who didn't come this week",
        "Order chalk and tape",
        "Check the rower in the corner",
        "Plan the Friday partner workout",
        "Send the trial offer",
    ),
    "he": (
        "להתקשר למי שלא הגיע השבוע",
        "להזמין מגנזיום וטייפ",
        "לבדוק את מכשיר החתירה בפינה",
        "לתכנן אימון זוגות ליום שישי",
        "לשלוח הצעה אחרי אימון ניסיון",
    ),
    "ru": (
        "Позвонить тем, кто не пришёл на этой неделе",
        "Заказать магнезию и тейп",
        "Проверить гребной тренажёр в углу",
        "Составить парную тренировку на пятницу",
        "Отправить предложение после пробного",
    ),
}

INTERESTS: Final = {
    "en": ("Mornings before work", "Wants to learn weightlifting"),
    "he": ("בקרים לפני העבודה", "רוצים ללמוד הנפות"),
    "ru": ("Утром до работы", "Хочет освоить тяжёлую атлетику"),
}

QUESTION: Final = {
    "en": "Hi! Is there a trial class this week, and what does it cost?",
    "he": "היי! יש אימון ניסיון השבוע, וכמה זה עולה?",
    "ru": "Здравствуйте! Есть ли на этой неделе пробное занятие и сколько оно стоит?",
}

HEALTH: Final = {
    "en": (
        "Health declaration",
        ("Do you have a heart condition?", "Have you ever fainted while training?"),
    ),
    "he": ("הצהרת בריאות", ("האם יש לך מחלת לב?", "האם התעלפת פעם בזמן אימון?")),
    "ru": (
        "Декларация о здоровье",
        ("Есть ли у вас заболевание сердца?", "Бывали ли у вас обмороки на тренировке?"),
    ),
}
"""A form's title and its questions."""

WORKOUT_TITLES: Final = {
    "en": ("Rowing and thrusters", "Heavy squats"),
    "he": ("חתירה ות׳ראסטרים", "סקוואט כבד"),
    "ru": ("Гребля и трастеры", "Тяжёлый присед"),
}
WORKOUT_TEXTS: Final = (
    "A. Back squat 5x5 @ 70%\n\nB. 12 min AMRAP\n10 thrusters 40/30 kg\n200 m row\n8 pull-ups",
    "A. Back squat 5x3 @ 80%\n\nB. 3 rounds for time\n15 deadlifts 60/40 kg\n12 burpees",
)
"""As coaches of any language write them, in the order of their titles."""

PROGRAM: Final = {
    "en": "Four weeks of squats",
    "he": "ארבעה שבועות סקוואט",
    "ru": "Присед за четыре недели",
}
