"""What is sealed can be read with its key alone, and with the old one while that is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from app.core.sealed import NoSealer, Sealer, Unreadable, sealer_of
from tests.studio import Studio

OLD, NEW = SecretStr("o" * 40), SecretStr("n" * 40)


@given(st.text())
def test_what_was_sealed_is_read_again_and_not_to_be_seen_before(text: str) -> None:
    sealed = Sealer([NEW]).seal(text)
    assert Sealer([NEW]).unseal(sealed) == text
    assert len(text) < 4 or text not in sealed


def test_a_replaced_key_still_opens_what_it_sealed_and_seals_nothing_more() -> None:
    before = Sealer.of(SecretStr(""), OLD).seal("k")
    both = Sealer.of(SecretStr(f"{NEW.get_secret_value()}, {OLD.get_secret_value()}"), OLD)
    assert both.unseal(before) == "k"
    assert Sealer([NEW]).unseal(both.seal("k")) == "k"
    with pytest.raises(Unreadable):
        Sealer([NEW]).unseal(before)
    with pytest.raises(Unreadable):
        Sealer([NEW]).unseal("not sealed at all")


def test_without_a_key_nothing_is_sealed() -> None:
    with pytest.raises(NoSealer):
        Sealer.of(SecretStr(""), SecretStr("")).seal("k")


def test_every_session_has_its_databases_sealer(studio: Studio) -> None:
    with studio.act() as session:
        sealed = sealer_of(session).seal("medical")
    with studio.db.platform() as session:
        assert sealer_of(session).unseal(sealed) == "medical"
