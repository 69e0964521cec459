"""Words of dates and hours in three languages, folded; patterns, so inflected forms fit."""

from typing import Final

DAYS: Final[tuple[tuple[str, int], ...]] = (
    (r"the day after tomorrow|day after tomorrow|מחרתיים|послезавтра", 2),
    (r"tomorrow|tmrw|tmr|tomorow|tommorow|tomorrw|מחר|завтра(?:шн\w+)?", 1),
    (r"today|tonight|היום|הערב|сегодня(?:шн\w+)?", 0),
    (r"yesterday|אתמול|вчера(?:шн\w+)?", -1),
)
"""What a relative day adds to today's date."""

WEEKDAYS: Final[tuple[str, ...]] = (
    r"mondays?|mon|(?:יום )(?:שני|ב')|понедельник\w*|пн",
    r"tuesdays?|tues?|(?:יום )(?:שלישי|ג')|שלישי|вторник\w*|вт",
    r"wednesdays?|weds?|(?:יום )(?:רביעי|ד')|רביעי|сред[ауеы]|ср",
    r"thursdays?|thurs?|thu|(?:יום )(?:חמישי|ה')|חמישי|четверг\w*|чт",
    r"fridays?|fri|(?:יום )(?:שישי|ו')|שישי|пятниц\w+|пт",
    r"saturdays?|sat|(?:יום )?שבת|суббот\w+|сб",
    r"sundays?|sun|(?:יום )(?:ראשון|א')|ראשון|воскресень\w+|вс|вск",
)
"""Monday first, as `date.weekday`. A bare 'שני' is left out: it is a name too."""

NEXT: Final = r"next|следующ\w+|след"
NEXT_AFTER: Final = r"הבא|הבאה|next week|на следующей неделе|בשבוע הבא"

MONTHS: Final[tuple[str, ...]] = (
    r"jan\w*|ינואר|янв\w*",
    r"feb\w*|פברואר|фев\w*",
    r"mar|march|מרץ|март\w*",
    r"apr\w*|אפריל|апр\w*",
    r"may|מאי|ма[йя]",
    r"june?|יוני|июн\w*",
    r"july?|יולי|июл\w*",
    r"aug\w*|אוגוסט|авг\w*",
    r"sept?\w*|ספטמבר|сен\w*",
    r"oct\w*|אוקטובר|окт\w*",
    r"nov\w*|נובמבר|ноя\w*",
    r"dec\w*|דצמבר|дек\w*",
)

PARTS: Final[dict[str, str]] = {
    "morning": r"in the morning|morning|בבוקר|בוקר|утром|утра|с утра",
    "noon": r"in the afternoon|afternoon|בצהריים|אחרי הצהריים|אחה\"צ|צהריים|днем|дня",
    "evening": r"in the evening|evening|at night|בערב|ערב|вечером|вечера",
}

HOURS: Final[tuple[tuple[str, int], ...]] = (
    (r"one|אחת|час", 1),
    (r"two|שתיים|два", 2),
    (r"three|שלוש|три", 3),
    (r"four|ארבע|четыре", 4),
    (r"five|חמש|пять", 5),
    (r"six|שש|шесть", 6),
    (r"seven|שבע|семь", 7),
    (r"eight|שמונה|восемь", 8),
    (r"nine|תשע|девять", 9),
    (r"ten|עשר|десять", 10),
    (r"eleven|אחת עשרה|одиннадцать", 11),
    (r"twelve|noon|midday|שתים עשרה|полдень|двенадцать", 12),
)

AT: Final = r"at|the|by|around|from|to|till|until|ב|ל|ה|מ|של|בשעה|לשעה|שעה|על|в|на|к|с|до|ко|во"
"""What a bare number must follow to be an hour; kept, for it may also say from or to."""

UNITS: Final = (
    r"places?|spots?|people|seats?|members?|minutes?|min|credits?|weeks?|days?|hours?"
    r"|מקומות|מקום|איש|אנשים|משתתפים|דקות|ניקובים|שבועות|ימים|שעות"
    r"|мест\w*|человек\w*|минут\w*|мин|посещени\w+|недел\w+|дн\w+|час\w*"
)
"""A number before one of these is no hour."""

BETWEEN: Final = r"-|to|till|until|עד|до"
BEGINNING: Final = r"from|מ|с"
O_CLOCK: Final = r"o'clock|hrs|часов|часа"
