"""The chat as people use it: words, cards, undo, stop, reload, several tabs."""

import json
import re

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from app.core.clock import Clock
from app.web.tokens import issue_token
from bot.conversation import answering
from tests.browser.stage import Stage
from tools.kit import questions
from tools.kit.questions import Approve

pytestmark = pytest.mark.browser

ASK_CANCEL = {
    "en": "cancel the open gym",
    "he": "לבטל את האופן ג׳ים של מחר",
    "ru": "Отмени завтрашний опен джим",
}


@pytest.fixture
def trouble(page: Page) -> list[str]:
    """What the browser complains of: refused scripts and styles, errors of ours."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda one: found.append(one.text) if one.type == "error" else None)
    return found


@pytest.fixture
def desk(page: Page, address: str, trouble: list[str]) -> Page:
    enter(page, address, "en")
    assert trouble == []
    return page


def enter(page: Page, address: str, language: str) -> None:
    page.goto(f"{address}/sign-in")
    page.locator("button[name=person]").nth(("en", "he", "ru").index(language)).click()
    expect(page.locator("spotter-chat .empty, spotter-chat .mine").first).to_be_visible()


def say(page: Page, text: str) -> None:
    box = page.locator("spotter-chat textarea")
    box.fill(text)
    box.press("Enter")


def card(page: Page) -> Locator:
    return page.locator("spotter-chat .card")


def over(page: Page) -> None:
    expect(page.locator("spotter-chat .flow")).to_have_attribute("aria-busy", "false")


def test_an_answer_streams_in_and_the_turn_ends(desk: Page, trouble: list[str]) -> None:
    say(desk, "hello")
    expect(desk.locator("spotter-chat .mine")).to_have_text("hello")
    expect(desk.locator("spotter-chat .said")).to_have_text("Good morning. Write what you need.")
    over(desk)
    assert trouble == []


def test_hostile_words_neither_run_nor_load_nor_lead_away(desk: Page, trouble: list[str]) -> None:
    outside: list[str] = []
    desk.on("request", lambda one: outside.append(one.url))
    say(desk, "markdown please")
    said = desk.locator("spotter-chat .said")
    expect(said.locator("table")).to_be_visible()
    over(desk)
    assert said.locator("img, script, iframe, style").count() == 0
    links = said.locator("a[href]").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert [re.sub(r"^http://[^/]+", "", link) for link in links] == ["/schedule"]
    assert desk.evaluate("window.broken") is None
    assert not [url for url in outside if "elsewhere.example" in url]
    assert trouble == []


def test_a_card_is_approved_by_number_and_enter_and_taken_back(desk: Page) -> None:
    say(desk, ASK_CANCEL["en"])
    expect(card(desk)).to_be_focused()
    desk.keyboard.press("1")
    expect(card(desk).locator("[data-n='1']")).to_be_focused()
    desk.keyboard.press("Enter")
    expect(card(desk).locator(".outcome")).to_contain_text("Approved")
    off = desk.locator(".class.off strong", has_text="Open gym")
    expect(off).to_have_count(1)
    desk.locator("spotter-chat .toast button").first.click()
    expect(off).to_have_count(0)
    expect(desk.locator("spotter-chat .toast")).to_have_count(0)


def test_a_declined_card_changes_nothing(desk: Page) -> None:
    say(desk, ASK_CANCEL["en"])
    card(desk).locator("[data-n='2']").click()
    expect(card(desk).locator(".outcome")).to_be_visible()
    over(desk)
    expect(desk.locator(".class.off strong", has_text="Open gym")).to_have_count(0)
    expect(desk.locator("spotter-chat [data-kind=not_run]")).to_have_count(1)


def test_escape_leaves_a_card_as_it_is(desk: Page) -> None:
    say(desk, ASK_CANCEL["en"])
    expect(card(desk)).to_be_focused()
    desk.keyboard.press("Escape")
    expect(desk.locator("spotter-chat textarea")).to_be_focused()
    expect(card(desk).locator(".outcome")).to_have_count(0)


def test_a_typed_number_answers_the_card_and_a_maybe_does_not(desk: Page) -> None:
    say(desk, ASK_CANCEL["en"])
    expect(card(desk)).to_be_visible()
    say(desk, "ok")
    expect(card(desk).locator(".refusal")).to_be_visible()
    say(desk, "2")
    expect(card(desk).locator(".outcome")).to_be_visible()
    over(desk)
    expect(desk.locator(".class.off strong", has_text="Open gym")).to_have_count(0)


def test_of_a_batch_only_the_chosen_run(desk: Page) -> None:
    say(desk, "batch please")
    expect(card(desk)).to_be_focused()
    desk.keyboard.press("1")
    desk.keyboard.press("3")
    desk.keyboard.press("Enter")
    expect(card(desk).locator(".outcome")).to_be_visible()
    over(desk)
    expect(desk.locator("spotter-chat [data-kind=done]")).to_have_count(2)
    expect(desk.locator("spotter-chat [data-kind=not_run]")).to_have_count(1)


def test_one_of_several_is_picked(desk: Page) -> None:
    say(desk, "book dana")
    expect(card(desk)).to_be_focused()
    desk.keyboard.press("2")
    desk.keyboard.press("Enter")
    expect(card(desk).locator(".outcome")).to_be_visible()
    expect(desk.locator("spotter-chat [data-kind=picked] .told")).to_contain_text("Dana Cohen")


def test_what_is_lost_for_good_wants_its_words(desk: Page) -> None:
    say(desk, "erase dana's data")
    expect(card(desk)).to_be_visible()
    card(desk).locator("[data-n], button").last.wait_for()
    assert card(desk).locator("h3").inner_text()


def test_newer_words_close_an_open_card(desk: Page) -> None:
    say(desk, ASK_CANCEL["en"])
    expect(card(desk)).to_be_visible()
    say(desk, "hello")
    expect(card(desk).locator(".outcome")).to_be_visible()
    expect(desk.locator("spotter-chat .said").last).to_have_text(
        "Good morning. Write what you need."
    )


def test_stop_is_the_server_s_and_survives_a_reload(desk: Page) -> None:
    say(desk, "slow please")
    expect(desk.locator("spotter-chat .said")).to_contain_text("word3")
    desk.reload()
    expect(desk.locator("spotter-chat .said")).to_contain_text("word3")
    desk.locator("spotter-chat .send.stop").click()
    over(desk)
    assert "word399" not in desk.locator("spotter-chat .said").inner_text()
    expect(desk.locator("spotter-chat .line")).to_be_visible()


def test_a_reload_brings_the_card_back_and_it_still_counts(desk: Page) -> None:
    say(desk, ASK_CANCEL["en"])
    expect(card(desk)).to_be_visible()
    desk.reload()
    expect(card(desk).locator(".option.main")).to_be_visible()
    card(desk).locator(".option.main").click()
    expect(desk.locator("spotter-chat [data-kind=done]")).to_be_visible()


def test_two_tabs_show_the_same_and_one_answer_counts(
    desk: Page, context: BrowserContext, address: str
) -> None:
    say(desk, ASK_CANCEL["en"])
    expect(card(desk)).to_be_visible()
    other = context.new_page()
    other.goto(address)
    card(other).locator(".option.main").click()
    for tab in (desk, other):
        expect(card(tab).locator(".outcome")).to_contain_text("Approved")
        expect(tab.locator("spotter-chat [data-kind=done]")).to_be_visible()
        over(tab)
    say(other, "hello")
    expect(desk.locator("spotter-chat .mine")).to_have_count(2)
    expect(desk.locator("spotter-chat .said").last).to_have_text(
        "Good morning. Write what you need."
    )


def test_an_answer_from_a_phone_shows_where_it_came_from(desk: Page, stage: Stage) -> None:
    say(desk, ASK_CANCEL["en"])
    expect(card(desk)).to_be_visible()
    person = stage.people["en"]
    with stage.db.transaction(person.org_id) as session:
        waiting = questions.of_person(session, person.user_id, now=stage.wiring.clock.now())
        question = waiting[0].id
        answering.answer(
            session, person, question, Approve(), where="whatsapp", enqueue=stage.enqueue
        )
    stage.tell(person, "card_settled", {"question_id": str(question), "outcome": "decided",
               "approved": ["x"], "text": "Approved on WhatsApp"})  # fmt: skip
    expect(card(desk).locator(".outcome")).to_contain_text("WhatsApp")
    expect(desk.locator("spotter-chat [data-kind=done]")).to_be_visible()


def test_a_question_asked_on_a_phone_waits_on_the_desk_too(desk: Page, stage: Stage) -> None:
    person = stage.people["en"]
    question = stage.ask_on_phone(person)
    waiting = desk.locator("spotter-chat .elsewhere .card")
    told = {"question_id": str(question), "conversation_id": "x"}
    for _ in range(10):  # the page may not listen yet
        stage.tell(person, "question_opened", told)
        desk.wait_for_timeout(500)
        if waiting.count():
            break
    expect(waiting.locator(".tag")).to_contain_text("WhatsApp")
    waiting.locator(".option.main").click()
    expect(waiting.locator(".outcome")).to_contain_text("Approved")


def test_a_session_that_is_over_leads_to_the_door(desk: Page, context: BrowserContext) -> None:
    # What the page asks for as it opens is answered: such an answer would renew the cookie.
    expect(desk.locator("spotter-chat .empty h4").first).to_be_visible()
    context.clear_cookies()
    say(desk, "hello")
    expect(desk.locator("button[name=person]").first).to_be_visible()


def test_a_host_page_may_hand_over_a_token_instead_of_a_session(
    page: Page, address: str, stage: Stage
) -> None:
    token = issue_token(stage.wiring.settings, stage.people["he"], now=Clock().now())
    page.goto(f"{address}/sign-in")
    page.evaluate(
        """async (token) => {
          await import('/dashboard/chat/spotter-chat.js');
          const chat = document.createElement('spotter-chat');
          Object.assign(chat, { token, language: 'he' });
          document.body.replaceChildren(chat);
        }""",
        token,
    )
    expect(page.locator("spotter-chat .empty h3")).to_have_text("מה צריך לעשות?")
    say(page, "hello")
    expect(page.locator("spotter-chat .said")).to_have_text("Good morning. Write what you need.")


def test_a_flushed_redis_leaves_no_eternal_spinner(desk: Page, stage: Stage) -> None:
    stage.model.pause_s = 0.4
    say(desk, "hello")
    expect(desk.locator("spotter-chat .said")).to_contain_text("Good")
    stage.wiring.redis.flushdb()
    expect(desk.locator("spotter-chat .said")).to_have_text("Good morning. Write what you need.")
    over(desk)


def test_a_failure_of_the_model_is_told_and_may_be_tried_again(desk: Page) -> None:
    say(desk, "fail please")
    expect(desk.locator("spotter-chat .error")).to_be_visible()
    over(desk)
    desk.locator("spotter-chat .error .plain").click()
    expect(desk.locator("spotter-chat .mine")).to_have_count(2)


def test_a_spent_budget_is_told_in_words(desk: Page) -> None:
    say(desk, "budget please")
    expect(desk.locator("spotter-chat .line")).to_be_visible()
    over(desk)


def test_a_chosen_class_goes_with_the_words(desk: Page) -> None:
    desk.locator(".class", has_text="Yoga").first.click()
    expect(desk.locator("spotter-chat .about")).to_contain_text("Yoga")
    with desk.expect_request("**/chat/messages") as sent:
        say(desk, "hello")
    selection = json.loads(sent.value.post_data or "")["selection"]
    assert selection["type"] == "class_session"
    assert "Yoga" in selection["label"]
    desk.locator("spotter-chat .about button").click()
    expect(desk.locator(".class[aria-pressed=true]")).to_have_count(0)


def test_a_new_conversation_begins_empty_and_the_old_one_can_be_opened(desk: Page) -> None:
    say(desk, "hello")
    over(desk)
    buttons = desk.locator("spotter-chat header .quiet")
    buttons.last.click()
    expect(desk.locator("spotter-chat .empty")).to_be_visible()
    buttons.first.click()
    expect(desk.locator("spotter-chat .past")).to_contain_text("hello")
    desk.locator("h1").click()
    expect(desk.locator("spotter-chat .past")).to_have_count(0)
    buttons.first.click()
    desk.locator("spotter-chat .past button").first.click()
    expect(desk.locator("spotter-chat .mine")).to_have_text("hello")


def test_a_conversation_that_is_named_meanwhile_shows_its_name(desk: Page, stage: Stage) -> None:
    with desk.expect_response("**/chat/messages") as sent:
        say(desk, "hello")
    over(desk)
    desk.locator("spotter-chat header .quiet").first.click()
    expect(desk.locator("spotter-chat .past")).to_contain_text("hello")
    value = {"conversation_id": sent.value.json()["conversation_id"], "title": "A first hello"}
    stage.tell(stage.people["en"], "titled", value)
    expect(desk.locator("spotter-chat h2")).to_have_text("A first hello")
    expect(desk.locator("spotter-chat .past")).to_contain_text("A first hello")


@pytest.mark.parametrize("language", ["en", "he", "ru"])
def test_a_phone_of_360_pixels_has_room_for_everything(
    page: Page, address: str, language: str
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    enter(page, address, language)
    say(page, ASK_CANCEL[language])
    expect(card(page)).to_be_visible()
    assert too_wide(page) == []
    card(page).locator(".option.main").click()
    expect(page.locator("spotter-chat .toast")).to_be_visible()
    assert too_wide(page) == []
    page.locator("[data-show=schedule]").click()
    expect(page.locator(".class").first).to_be_visible()
    assert too_wide(page) == []
    assert page.evaluate("document.documentElement.dir") == ("rtl" if language == "he" else "ltr")


def too_wide(page: Page) -> list[str]:
    """What would have to be scrolled sideways."""
    found: list[str] = page.evaluate(
        """() => {
          const chat = document.querySelector('spotter-chat').shadowRoot;
          const inside = ['.log', '.composer', '.card', '.toast', '.call'];
          const parts = inside.flatMap((name) => [...chat.querySelectorAll(name)]);
          const all = [document.scrollingElement, document.querySelector('#schedule'), ...parts];
          return all
            .filter((one) => one.scrollWidth > one.clientWidth + 1)
            .map((one) => one.className || one.localName);
        }"""
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_in_either_light(page: Page, address: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of the two it knows
    enter(page, address, "en")
    say(page, ASK_CANCEL["en"])
    expect(card(page)).to_be_visible()
    weak = page.evaluate(CONTRAST)
    assert weak == []


CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const part = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const chat = document.querySelector('spotter-chat').shadowRoot;
  const all = [...document.querySelectorAll('body *'), ...chat.querySelectorAll('*')];
  const hasText = (one) => [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const texts = all.filter(hasText);
  return texts
    .filter((one) => one.getBoundingClientRect().width > 1 && !one.disabled)
    .map((one) => {
      const [a, b] = [light(rgba(getComputedStyle(one).color)), light(ground(one))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const name = one.className || one.localName;
      return [name, one.textContent.trim().slice(0, 30), ratio.toFixed(2)];
    })
    .filter(([, , ratio]) => ratio < 4.5);
}"""
