package dev.argus.archtest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;

/** Kafka's classes are seen by one room of what runs in one process, and nothing that every command loads leads to them. */
class KafkaTest {
    private static final String KAFKA = "org.apache.kafka..";

    @Test
    void onlyTheRoomsMeantForItSeeKafka() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.argus.kafka..", "dev.argus.hostflink..", "dev.argus.benchmarks..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(KAFKA)
                .check(House.mainClasses());
    }

    /** What is loaded to read an address or a file of properties must not load Kafka: an agent's memory is a promise. */
    @Test
    void addressesLoadNothingOfKafka() {
        noClasses()
                .that()
                .haveNameMatching("dev\\.argus\\.kafka\\.Kafka(Address|Access|Patience)")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(KAFKA)
                .check(House.mainClasses());
    }
}
