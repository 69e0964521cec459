"""What the planner says, in three languages: short, and never more than a result told it."""

from typing import Final

from bot.playground.planner.fold import Language

PHRASES: Final[dict[str, dict[Language, str]]] = {
    "nothing_changed": {
        "en": "Nothing was changed.",
        "he": "שום דבר לא השתנה.",
        "ru": "Ничего не изменилось.",
    },
    "waiting": {
        "en": "Waiting: {count}.",
        "he": "ממתינים: {count}.",
        "ru": "Ждут: {count}.",
    },
    "some_of_day": {
        "en": "{day}\n{lines}",
        "he": "{day}\n{lines}",
        "ru": "{day}\n{lines}",
    },
    "found": {
        "en": "Found: {names}.",
        "he": "נמצאו: {names}.",
        "ru": "Найдено: {names}.",
    },
    "closest": {
        "en": "No member is called {who}; the closest is {name}. What is the full name?",
        "he": "אין מתאמן בשם {who}, הכי קרוב: {name}. מה השם המלא?",
        "ru": "Клиента «{who}» нет, ближе всего: {name}. Как полное имя?",
    },
    "who_i_am": {
        "en": "I'm no language model: I'm the demo's planner, and know a few dozen kinds of"
        " sentences about this gym. For example:\n{examples}",
        "he": "אין כאן מודל שפה: זה מתכנן ההדגמה, שמכיר כמה עשרות סוגי משפטים על המועדון."
        " לדוגמה:\n{examples}",
        "ru": "Это не языковая модель, а планировщик демо: он знает несколько десятков видов"
        " фраз об этом клубе. Например:\n{examples}",
    },
    "playbook": {
        "en": "That is what the gym's data say. I'm no language model: what to do is yours to say.",
        "he": "אלה הנתונים של המועדון. כאן אין מודל שפה: מה לעשות, זו החלטה שלך.",
        "ru": "Это данные клуба. Я не языковая модель: что делать, решать вам.",
    },
    "unknown": {
        "en": "I didn't get that one, and nothing was done. {who_i_am}",
        "he": "המשפט הזה לא מוכר, ולא בוצע כלום. {who_i_am}",
        "ru": "Эта фраза не понята, ничего не сделано. {who_i_am}",
    },
    "hello": {
        "en": "Spotter here. {who_i_am}",
        "he": "כאן Spotter. {who_i_am}",
        "ru": "Это Spotter. {who_i_am}",
    },
    "examples": {
        "en": "what's on tomorrow?\nput open gym tomorrow 13:00-14:00\nbook Dana into open gym"
        " tomorrow\ncancel tomorrow's open gym",
        "he": "מה יש מחר?\nתפתח אופן ג׳ים מחר 13:00-14:00\nתרשום את דנה לאופן ג׳ים מחר\n"
        "תבטל את אופן ג׳ים של מחר",
        "ru": "что завтра?\nпоставь опен джим завтра с 13 до 14\nзапиши Дану на опен джим"
        " завтра\nотмени завтрашний опен джим",
    },
    "thanks": {
        "en": "Write when there is more to do.",
        "he": "אפשר לכתוב כשצריך עוד משהו.",
        "ru": "Пишите, если понадобится что-то ещё.",
    },
    "picture": {
        "en": "I see a picture, but I am no language model and can't read it. Write what it says.",
        "he": "הגיעה תמונה, אבל אין כאן מודל שפה שיודע לקרוא אותה. אפשר לכתוב מה כתוב בה.",
        "ru": "Картинка пришла, но это не языковая модель: прочесть её нельзя. Напишите, что там.",
    },
    "no_clock": {
        "en": "I wasn't told today's date, so I can't place that.",
        "he": "התאריך של היום לא נמסר, אז אי אפשר לדעת באיזה יום מדובר.",
        "ru": "Сегодняшняя дата не передана, поэтому день неизвестен.",
    },
    "not_offered": {
        "en": "I understood that, but have no tool for it here.",
        "he": "המשפט מובן, אבל אין כאן כלי לזה.",
        "ru": "Просьба понятна, но инструмента для неё здесь нет.",
    },
    "went_wrong": {
        "en": "{reason}",
        "he": "{reason}",
        "ru": "{reason}",
    },
    "none_picked": {
        "en": "None of these, then.",
        "he": "אם כך, אף אחד מהם.",
        "ru": "Значит, ни один из них.",
    },
    "day": {
        "en": "{day}, classes on the schedule: {count}.",
        "he": "{day}, שיעורים בלוח: {count}.",
        "ru": "{day}, занятий в расписании: {count}.",
    },
    "day_empty": {
        "en": "{day}: nothing on the schedule.",
        "he": "{day}: אין שיעורים בלוח.",
        "ru": "{day}: занятий нет.",
    },
    "no_such_class": {
        "en": "{day}: no class on the schedule fits {asked}.",
        "he": "{day}: אין בלוח שיעור שמתאים ל-{asked}.",
        "ru": "{day}: в расписании нет занятия «{asked}».",
    },
    "which_class": {
        "en": "Which class do you mean?",
        "he": "לאיזה שיעור הכוונה?",
        "ru": "О каком занятии речь?",
    },
    "too_many": {
        "en": "{count} fit that. Say the time or the full name, please?",
        "he": "יש {count} שמתאימים. מה השעה או השם המלא?",
        "ru": "Подходит сразу {count}. Какое время или полное имя?",
    },
    "roster": {
        "en": "{title}. Booked: {count}.",
        "he": "{title}. רשומים: {count}.",
        "ru": "{title}. Записано: {count}.",
    },
    "roster_empty": {
        "en": "{title}: no one is booked.",
        "he": "{title}: אין רשומים.",
        "ru": "{title}: записей нет.",
    },
    "no_such_member": {
        "en": "No member called {who} was found. How is it spelled?",
        "he": "לא נמצא מתאמן בשם {who}. איך כותבים את השם?",
        "ru": "Клиент «{who}» не найден. Как пишется имя?",
    },
    "which_member": {
        "en": "Which {who} do you mean?",
        "he": "יש כמה בשם {who}. למי הכוונה?",
        "ru": "{who}: таких несколько. О ком речь?",
    },
    "no_such_coach": {
        "en": "No one on the staff is called {who}.",
        "he": "אין בצוות מישהו בשם {who}.",
        "ru": "В команде нет имени «{who}».",
    },
    "no_such_type": {
        "en": "There is no class type {asked}. There are: {names}. Which one?",
        "he": "אין סוג שיעור {asked}. יש: {names}. איזה מהם?",
        "ru": "Типа занятия «{asked}» нет. Есть: {names}. Какой из них?",
    },
    "which_hour": {
        "en": "At what time?",
        "he": "באיזו שעה?",
        "ru": "В какое время?",
    },
    "list": {
        "en": "In all: {count}.",
        "he": "בסך הכול: {count}.",
        "ru": "Всего: {count}.",
    },
    "list_empty": {
        "en": "There are none.",
        "he": "אין כאלה.",
        "ru": "Таких нет.",
    },
    "unpaid": {
        "en": "With a payment open: {count}.",
        "he": "עם תשלום פתוח: {count}.",
        "ru": "Не заплатили: {count}.",
    },
    "unpaid_none": {
        "en": "Everyone has paid.",
        "he": "כולם שילמו.",
        "ru": "Все заплатили.",
    },
    "at_risk": {
        "en": "May leave: {count}, the likeliest first.",
        "he": "עלולים לעזוב: {count}, לפי רמת הסיכון.",
        "ru": "Могут уйти: {count}, сначала самые вероятные.",
    },
    "at_risk_none": {
        "en": "No one looks likely to leave.",
        "he": "אין כרגע מתאמנים בסיכון.",
        "ru": "Пока никто не собирается уходить.",
    },
    "tasks": {
        "en": "Your open tasks: {count}.",
        "he": "המשימות הפתוחות שלך: {count}.",
        "ru": "Ваши открытые задачи: {count}.",
    },
    "tasks_none": {
        "en": "You have no open tasks.",
        "he": "אין לך משימות פתוחות.",
        "ru": "Открытых задач у вас нет.",
    },
    "leads": {
        "en": "Open leads: {count}.",
        "he": "לידים פתוחים: {count}.",
        "ru": "Открытых лидов: {count}.",
    },
    "leads_none": {
        "en": "There are no open leads.",
        "he": "אין לידים פתוחים.",
        "ru": "Открытых лидов нет.",
    },
    "new_leads": {
        "en": "New leads: {count}.",
        "he": "לידים חדשים: {count}.",
        "ru": "Новых лидов: {count}.",
    },
    "new_leads_none": {
        "en": "There are no new leads.",
        "he": "אין לידים חדשים.",
        "ru": "Новых лидов нет.",
    },
    "figures": {
        "en": "These are the figures of {day}.",
        "he": "אלה המספרים של {day}.",
        "ru": "Показатели за {day}.",
    },
    "programmed": {
        "en": "{day}, the workout of the day: {names}.",
        "he": "{day}, האימון היומי: {names}.",
        "ru": "{day}, тренировка дня: {names}.",
    },
    "programmed_none": {
        "en": "{day}: no workout is set.",
        "he": "{day}: עוד לא נקבע אימון.",
        "ru": "{day}: тренировка ещё не задана.",
    },
    "more": {
        "en": "and {count} more",
        "he": "ועוד {count}",
        "ru": "и ещё {count}",
    },
    "no_booking": {
        "en": "{member} has no booking that fits.",
        "he": "אין הרשמה מתאימה של {member}.",
        "ru": "{member}: подходящей записи нет.",
    },
    "about": {"en": "{name}: {facts}", "he": "{name}: {facts}", "ru": "{name}: {facts}"},
    "no_facts": {
        "en": "{name}: nothing on record.",
        "he": "{name}: אין נתונים.",
        "ru": "{name}: данных нет.",
    },
    "created": {
        "en": "On the schedule: {title}.",
        "he": "בלוח: {title}.",
        "ru": "В расписании: {title}.",
    },
    "cancelled": {
        "en": "Class cancelled: {title}.",
        "he": "השיעור בוטל: {title}.",
        "ru": "Занятие отменено: {title}.",
    },
    "moved": {
        "en": "Moved: {title}.",
        "he": "הועבר: {title}.",
        "ru": "Перенесено: {title}.",
    },
    "changed": {
        "en": "Changed: {title}. {what}",
        "he": "עודכן: {title}. {what}",
        "ru": "Изменено: {title}. {what}",
    },
    "places": {"en": "Places: {count}.", "he": "מקומות: {count}.", "ru": "Мест: {count}."},
    "coach": {"en": "Coach: {name}.", "he": "בהדרכת {name}.", "ru": "Тренер: {name}."},
    "booked": {
        "en": "Booked: {member}, {title}.",
        "he": "נרשם: {member}, {title}.",
        "ru": "Записано: {member}, {title}.",
    },
    "waitlisted": {
        "en": "On the waitlist: {member}, {title}.",
        "he": "ברשימת ההמתנה: {member}, {title}.",
        "ru": "В листе ожидания: {member}, {title}.",
    },
    "unbooked": {
        "en": "Booking cancelled: {member}, {title}.",
        "he": "ההרשמה בוטלה: {member}, {title}.",
        "ru": "Запись отменена: {member}, {title}.",
    },
    "rebooked": {
        "en": "Booking moved: {member}, {title}.",
        "he": "ההרשמה הועברה: {member}, {title}.",
        "ru": "Запись перенесена: {member}, {title}.",
    },
    "undo_how": {
        "en": "To take the last change back, reply {word}: {what}.",
        "he": "כדי להחזיר את הפעולה האחרונה, לכתוב ״{word}״: {what}.",
        "ru": "Чтобы вернуть последнее действие, напишите «{word}»: {what}.",
    },
    "undo_none": {
        "en": "There is no recent change that can be taken back.",
        "he": "אין פעולה אחרונה שאפשר להחזיר.",
        "ru": "Нет недавнего действия, которое можно вернуть.",
    },
    "undo_word": {"en": "UNDO", "he": "להחזיר", "ru": "вернуть"},
}

OTHERWISE: Final[dict[Language, str]] = {
    "en": "That didn't go through ({code}). Nothing was changed.",
    "he": "זה לא עבר ({code}). שום דבר לא השתנה.",
    "ru": "Не получилось ({code}). Ничего не изменилось.",
}
