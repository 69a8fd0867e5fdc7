package dev.argus.archtest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;

/** No level of the diagnosis needs aligned clocks: what is known of clocks reaches the observation about them, and nothing else. */
class ClocksTest {
    @Test
    void detectorsKnowNothingOfAlignedClocks() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.argus.engine..", "dev.argus.digest", "dev.argus.sketch..", "dev.argus.wire..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.argus.digest.clocks..")
                .check(House.mainClasses());
        noClasses()
                .that()
                .resideInAPackage("dev.argus.engine..")
                .and()
                .haveNameNotMatching("dev\\.argus\\.engine\\.ClockSkew(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.argus.model.HostClock")
                .check(House.mainClasses());
    }
}
