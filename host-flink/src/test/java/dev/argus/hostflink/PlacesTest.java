package dev.argus.hostflink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlacesTest {
    @Test
    void whatIsGoneBeforeItWasReadIsToldAndSoIsATopicMadeAnew() {
        Places places = new Places();
        assertThat(places.read(0, 100)).as("wherever a job begins").isZero();
        assertThat(places.read(0, 101)).isZero();
        assertThat(places.read(1, 7)).isZero();
        assertThat(places.read(0, 150)).as("retention went past its place").isEqualTo(48);
        assertThat(places.read(0, 0)).as("deleted and made again").isEqualTo(Places.ANEW);
        assertThat(places.read(0, 1)).isZero();
        Places again = new Places();
        places.all().forEach(again::restore);
        again.restore(1, 3); // somebody who had it before
        assertThat(again.read(1, 8)).isZero();
        assertThat(again.read(0, 3)).isEqualTo(1);
    }
}
