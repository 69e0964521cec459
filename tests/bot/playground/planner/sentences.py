"""Sentences as people at a gym write them on Monday 30 November, and what each wishes."""

from datetime import date, time

from bot.playground.planner import wishes as w
from bot.playground.planner.times import Clock, Part

TOM, WED, THU, FRI, SUN = (date(2026, 12, day) for day in (1, 2, 3, 4, 6))
TODAY = date(2026, 11, 30)


def at(hour: int, minute: int = 0, *, vague: bool = False) -> Clock:
    return Clock(time(hour, minute), vague=vague)


def span(start: int, end: int) -> Clock:
    return Clock(time(start), time(end))


def spot(name: str = "", day: date | None = TOM, hour: Clock | None = None) -> w.Spot:
    return w.Spot(name, day, hour)


EIGHTEEN = spot(day=None, hour=at(18))
EVENING = w.Spot(day=TOM, part=Part("evening"))

ENGLISH: tuple[tuple[str, w.Wish], ...] = (
    ("what's on tomorrow?", w.ShowDay(spot())),
    ("What classes are there on Thursday", w.ShowDay(spot(day=THU))),
    ("show me tomorrow's schedule", w.ShowDay(spot())),
    ("what's on tomorrow evening", w.ShowDay(EVENING)),
    ("who's in the 18:00?", w.WhoIsIn(spot(day=None, hour=at(18)))),
    ("who is booked for tomorrow's open gym", w.WhoIsIn(spot("open gym"))),
    ("find Dana", w.FindMember("dana")),
    ("how many credits does Dana Levi have left?", w.Credits("dana levi")),
    ("show the credit history of Dana Levi", w.Credits("dana levi", ledger=True)),
    ("show class types", w.ListAll("class_types")),
    ("who are our coaches", w.ListAll("staff")),
    ("who hasn't paid this month?", w.ListAll("unpaid")),
    ("who may leave us?", w.ListAll("at_risk")),
    ("show me my tasks", w.ListAll("tasks")),
    ("any new leads today?", w.ListAll("new_leads")),
    ("open leads", w.ListAll("leads")),
    ("today's figures", w.Figures(TODAY)),
    ("what's the workout of the day tomorrow?", w.Programmed(TOM)),
    ("put open gym tomorrow 13:00-14:00", w.Create(spot("open gym", hour=span(13, 14)))),
    ("open gym tomorrow 13:00", w.Create(spot("open gym", hour=at(13)))),
    ("create a WOD on friday at 6", w.Create(spot("wod", FRI, at(6, vague=True)))),
    ("add a wod friday 6pm", w.Create(spot("wod", FRI, at(18)))),
    ("cancel tomorrow's open gym", w.CancelClass(spot("open gym"))),
    ("pls cancel the noon class on wednesday", w.CancelClass(spot("", WED, at(12, vague=True)))),
    ("call off the 18:00 wod on 4.12", w.CancelClass(spot("wod", FRI, at(18)))),
    ("cancel all classes tomorrow", w.CancelClass(spot(), every=True)),
    (
        "cancel mikes booking tmrw morning, family emergency so dont burn his credit",
        w.CancelBooking("mikes", w.Spot(day=TOM, part=Part("morning"))),
    ),
    (
        "cancel tomorrow's 13:00 and the 18:00 WOD",
        w.Several((w.CancelClass(spot(hour=at(13))), w.CancelClass(spot("wod", hour=at(18))))),
    ),
    (
        "cancel tomorrow's open gym and put WOD at 15:00",
        w.Several((w.CancelClass(spot("open gym")), w.Create(spot("wod", hour=at(15))))),
    ),
    (
        "move tomorrow's open gym to 15:00",
        w.Move(spot("open gym"), spot(day=None, hour=at(15))),
    ),
    (
        "move open gym tomorrow from 13:00 to 15:00",
        w.Move(spot("open gym", hour=at(13)), spot(day=None, hour=at(15))),
    ),
    (
        "next sunday move the 19:00 wod to 20:00",
        w.Move(spot("wod", SUN, at(19)), spot(day=None, hour=at(20))),
    ),
    ("set the capacity of tomorrow's open gym to 15", w.ChangeCapacity(spot("open gym"), 15)),
    ("make the 18:00 wod tomorrow 20 places", w.ChangeCapacity(spot("wod", hour=at(18)), 20)),
    ("change the coach of tomorrow's 18:00 to Lior", w.ChangeCoach(spot(hour=at(18)), "lior")),
    ("swap coach thursday 6am from Omer to Lior", w.ChangeCoach(spot("", THU, at(6)), "lior")),
    ("book Dana into open gym tomorrow", w.Book("dana", spot("open gym"))),
    ("put Dana in the 18:00", w.Book("dana", spot("", None, at(18)))),
    (
        "book Dana and Tom into the 18:00 tomorrow",
        w.Several((w.Book("dana", spot(hour=at(18))), w.Book("tom", spot(hour=at(18))))),
    ),
    (
        "cancel Dana's booking for tomorrow's open gym",
        w.CancelBooking("dana", spot("open gym")),
    ),
    (
        "cancel Dana Mizrahi's 18:00 booking tomorrow",
        w.CancelBooking("dana mizrahi", spot(hour=at(18))),
    ),
    ("cancel the booking of Dana Mizrahi for tomorrow", w.CancelBooking("dana mizrahi", spot())),
    ("move Dana Mizrahi's booking tomorrow to 18:00", w.Move(spot(), EIGHTEEN, "dana mizrahi")),
    ("cancel Dana Levi's 18:00", w.CancelBooking("dana levi", EIGHTEEN)),
    ("take Dana out of open gym tomorrow", w.CancelBooking("dana", spot("open gym"))),
    (
        "move Dana from open gym tomorrow to the 18:00 wod",
        w.Move(spot("open gym"), spot("wod", None, at(18)), "dana"),
    ),
    ("undo that", w.UndoLast()),
    ("thanks!", w.Talk("thanks")),
    ("hello", w.Talk("hello")),
    ("what can you do?", w.Talk("help")),
    ("write me a poem about cats", w.Talk("unknown")),
)

HEBREW: tuple[tuple[str, w.Wish], ...] = (
    ("מה יש מחר?", w.ShowDay(spot())),
    ("איזה שיעורים יש ביום חמישי", w.ShowDay(spot(day=THU))),
    ("מה יש מחר בערב", w.ShowDay(EVENING)),
    ("מי ברשימה ל-WOD מחר ב-07:00?", w.WhoIsIn(spot("ל-wod", hour=at(7)))),
    ("מי רשום לשיעור של 18:00?", w.WhoIsIn(spot(day=None, hour=at(18)))),
    ("תמצא את דנה", w.FindMember("דנה")),
    ("כמה ניקובים נשארו לדנה לוי", w.Credits("דנה לוי")),
    ("כמה כניסות נשאר לאבי", w.Credits("אבי")),
    ("היסטוריית הניקובים של דנה לוי", w.Credits("דנה לוי", ledger=True)),
    ("מה סוגי השיעורים", w.ListAll("class_types")),
    ("תראה לי את הצוות", w.ListAll("staff")),
    ("מי לא שילם החודש?", w.ListAll("unpaid")),
    ("מי עלול לעזוב?", w.ListAll("at_risk")),
    ("מה המשימות שלי?", w.ListAll("tasks")),
    ("יש לידים חדשים?", w.ListAll("new_leads")),
    ("תראה לי את הלידים", w.ListAll("leads")),
    ("מה המספרים של היום?", w.Figures(TODAY)),
    ("מה האימון של מחר?", w.Programmed(TOM)),
    ("תפתח אופן ג׳ים מחר 13-14", w.Create(spot("אופן ג'ים", hour=span(13, 14)))),
    ("שים WOD ביום שישי ב-18:00", w.Create(spot("wod", FRI, at(18)))),
    ("תבטל את אופן ג׳ים של מחר", w.CancelClass(spot("אופן ג'ים"))),
    ("תבטלי את השיעור של 18:00 היום", w.CancelClass(spot("", TODAY, at(18)))),
    (
        "תבטל את ה-13:00 ואת ה-18:00 של מחר",
        w.Several((w.CancelClass(spot(hour=at(13))), w.CancelClass(spot(hour=at(18))))),
    ),
    (
        "תזיז את אופן ג׳ים של מחר ל-15:00",
        w.Move(spot("אופן ג'ים"), spot(day=None, hour=at(15))),
    ),
    (
        "תזיז את השיעור של ראשון הבא משבע לשמונה בערב",
        w.Move(spot("", SUN, at(7, vague=True)), spot(day=None, hour=at(20))),
    ),
    ("תשנה את מספר המקומות בשיעור מחר ב-18:00 ל-15", w.ChangeCapacity(spot(hour=at(18)), 15)),
    ("תחליף את המאמן בשיעור של 18:00 מחר לליאור", w.ChangeCoach(spot(hour=at(18)), "ליאור")),
    ("שים את ליאור בשיעור של 18:00 מחר במקום עומר", w.ChangeCoach(spot(hour=at(18)), "ליאור")),
    ("תרשום את דנה לוי לאופן ג׳ים מחר", w.Book("דנה לוי", spot("לאופן ג'ים"))),
    ("תכניס את דנה לשש היום", w.Book("דנה", spot("", TODAY, at(6, vague=True)))),
    ("תבטל את ההרשמה של דנה לאופן ג׳ים מחר", w.CancelBooking("דנה", spot("לאופן ג'ים"))),
    ("תבטל את ההרשמה של דנה לוי לאופן ג׳ים מחר", w.CancelBooking("דנה לוי", spot("לאופן ג'ים"))),
    ("תבטל את ההרשמה של דנה לוי ל-18:00 מחר", w.CancelBooking("דנה לוי", spot(hour=at(18)))),
    ("תבטל את ההרשמה של דנה לוי", w.CancelBooking("דנה לוי", spot(day=None))),
    ("תעביר את ההרשמה של דנה לוי ל-18:00", w.Move(spot(day=None), EIGHTEEN, "דנה לוי")),
    (
        "תעביר את דנה מזרחי מאופן ג׳ים מחר ל-18:00",
        w.Move(spot("מאופן ג'ים"), EIGHTEEN, "דנה מזרחי"),
    ),
    ("תוציא את דנה מהשיעור של 18:00 מחר", w.CancelBooking("דנה", spot(hour=at(18)))),
    (
        "תעביר את דנה מאופן ג׳ים מחר ל-18:00",
        w.Move(spot("מאופן ג'ים"), spot(day=None, hour=at(18)), "דנה"),
    ),
    ("תחזיר את זה", w.UndoLast()),
    ("תודה רבה", w.Talk("thanks")),
    ("שלום", w.Talk("hello")),
    ("עזרה", w.Talk("help")),
    ("תכתוב לי שיר", w.Talk("unknown")),
)

RUSSIAN: tuple[tuple[str, w.Wish], ...] = (
    ("что завтра?", w.ShowDay(spot())),
    ("что в расписании на четверг", w.ShowDay(spot(day=THU))),
    ("покажи расписание на завтра", w.ShowDay(spot())),
    ("кто записан на 18:00?", w.WhoIsIn(spot(day=None, hour=at(18)))),
    ("кто записан на 7 утра во вт", w.WhoIsIn(spot(hour=at(7)))),
    ("кто на опен джим завтра?", w.WhoIsIn(spot("опен джим"))),
    ("найди Дану", w.FindMember("дану")),
    ("сколько посещений осталось у Даны Леви", w.Credits("даны леви")),
    ("история посещений Даны", w.Credits("даны", ledger=True)),
    ("какие есть виды занятий", w.ListAll("class_types")),
    ("покажи тренеров", w.ListAll("staff")),
    ("кто не заплатил в этом мес?", w.ListAll("unpaid")),
    ("кто не заплатил в этом месяце?", w.ListAll("unpaid")),
    ("кто может уйти?", w.ListAll("at_risk")),
    ("покажи мои задачи", w.ListAll("tasks")),
    ("есть новые лиды?", w.ListAll("new_leads")),
    ("покажи лиды", w.ListAll("leads")),
    ("покажи цифры за сегодня", w.Figures(TODAY)),
    ("какая завтра тренировка дня?", w.Programmed(TOM)),
    ("тренировка дня на завтра", w.Programmed(TOM)),
    ("поставь опен джим завтра с 13 до 14", w.Create(spot("опен джим", hour=span(13, 14)))),
    ("создай вод в пятницу в 18:00", w.Create(spot("вод", FRI, at(18)))),
    ("отмени завтрашний опен джим", w.CancelClass(spot("опен джим"))),
    ("отмени занятие в 18:00 4 декабря", w.CancelClass(spot("", FRI, at(18)))),
    (
        "отмени завтра 13:00 и 18:00",
        w.Several((w.CancelClass(spot(hour=at(13))), w.CancelClass(spot(hour=at(18))))),
    ),
    (
        "перенеси опен джим завтра на 15:00",
        w.Move(spot("опен джим"), spot(day=None, hour=at(15))),
    ),
    ("перенеси вс 19:00 на 20:00", w.Move(spot("", SUN, at(19)), spot(day=None, hour=at(20)))),
    ("измени количество мест на опен джим завтра до 15", w.ChangeCapacity(spot("опен джим"), 15)),
    ("смени тренера на завтра 18:00 на Лиора", w.ChangeCoach(spot(hour=at(18)), "лиора")),
    ("поставь Лиора на завтра 18:00 вместо Омера", w.ChangeCoach(spot(hour=at(18)), "лиора")),
    ("запиши Дану на опен джим завтра", w.Book("дану", spot("опен джим"))),
    ("запиши Диму на 6 вечера сегодня", w.Book("диму", spot("", TODAY, at(18)))),
    ("отмени запись Даны на опен джим завтра", w.CancelBooking("даны", spot("опен джим"))),
    ("выпиши Дану с занятия в 18:00", w.CancelBooking("дану", spot("", None, at(18)))),
    (
        "перепиши Дану с опен джим завтра на 18:00",
        w.Move(spot("опен джим"), spot(day=None, hour=at(18)), "дану"),
    ),
    ("верни как было", w.UndoLast()),
    ("спасибо", w.Talk("thanks")),
    ("привет", w.Talk("hello")),
    ("что ты умеешь?", w.Talk("help")),
    ("напиши стихи", w.Talk("unknown")),
)
