package dev.argus.archtest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;

/** Only {@code host-flink} sees Flink: whoever watches jobs in one process needs nothing of it. */
class FlinkTest {
    @Test
    void onlyHostFlinkSeesFlink() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.argus.hostflink..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.flink..")
                .check(House.mainClasses());
    }

    @Test
    void whatIsDoneForOneJobKnowsNothingOfFlink() {
        noClasses()
                .that()
                .haveNameMatching(
                        "dev\\.argus\\.hostflink\\.(HostedJob(Codec)?|JobVoice|JobSeries|SeriesBytes|KeptStep|SaidJson|HostOptions|Gaps|Places|series\\.(SeriesQueue|RemoteWrite(Client)?)|summaries\\.(Summaries|StepFiles?))(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.flink..")
                .check(House.mainClasses());
    }
}
