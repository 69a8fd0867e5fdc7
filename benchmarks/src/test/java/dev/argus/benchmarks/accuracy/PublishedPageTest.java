package dev.argus.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublishedPageTest {
    private static final String PAGE = "# How right\n\n## Bars\n\n1\n\n## What went wrong\n\nNothing.\n";
    private static final String SECTION = "## Published situations\n\nfive\n\n";

    @Test
    void theSectionStandsBeforeWhatWentWrongAndIsReplacedThere() {
        String page = PublishedPage.with(PAGE, SECTION);

        assertThat(page)
                .isEqualTo(
                        "# How right\n\n## Bars\n\n1\n\n## Published situations\n\nfive\n\n## What went wrong\n\nNothing.\n");
        assertThat(PublishedPage.of(page)).isEqualTo(SECTION);
        assertThat(PublishedPage.with(page, SECTION.replace("five", "six"))).isEqualTo(page.replace("five", "six"));
    }

    @Test
    void aPageWithoutOneKeepsNothing() {
        assertThat(PublishedPage.of(PAGE)).isEmpty();
        assertThat(PublishedPage.with(PAGE, "")).isEqualTo(PAGE);
        assertThat(PublishedPage.with("", SECTION)).isEqualTo(SECTION);
    }
}
