package dev.argus.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.hostlocal.report.LiveWaits;
import dev.argus.hostlocal.report.WaitTable;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.server.Samples;
import dev.argus.server.job.KernelPictureJson;
import dev.argus.server.job.WaitJson;
import dev.argus.storage.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeptPicturesTest {
    private final KeptPictures kept = new KeptPictures("kernels");
    private final List<String> asked = new ArrayList<>();

    private static KernelPicture picture(String kernel) {
        float[] none = new float[KernelPicture.BINS];
        return new KernelPicture("i", kernel, true, 1, 2, 2, List.of(), 1, 2, none, none, none, List.of());
    }

    private static Incident lasting(String id, long steps) {
        Incident i = Samples.incident(id, IncidentState.ONGOING, "it is slow");
        return new Incident(
                i.id(),
                i.kind(),
                i.scope(),
                i.severity(),
                i.confidence(),
                i.levels(),
                i.state(),
                i.sinceEpochNanos(),
                i.untilEpochNanos(),
                i.attempt(),
                i.ranks(),
                i.gpus(),
                i.hosts(),
                i.groups(),
                21,
                20 + steps,
                i.kernels(),
                i.direction(),
                i.summary(),
                i.explanation(),
                i.advice(),
                i.evidence(),
                i.cost());
    }

    private List<Rows.Picture> next(String document, Incident... incidents) {
        return kept.next(
                "j",
                List.of(incidents),
                i -> {
                    asked.add(i.id());
                    return document;
                },
                7);
    }

    @Test
    void theFirstThatIsThereAndAgainWithTwiceAsManySteps() {
        assertThat(next("", lasting("i", 1))).as("no window of its steps yet").isEmpty();
        assertThat(next("[1]", lasting("i", 3))).containsExactly(new Rows.Picture("j", "i", "kernels", 7, "[1]"));
        assertThat(next("[1]", lasting("i", 5))).as("not twice as many").isEmpty();
        assertThat(asked).as("nor is anything made for nothing").hasSize(2);
        assertThat(next("[2]", lasting("i", 6))).hasSize(1);
    }

    @Test
    void anEndlessIncidentIsKeptSoManyTimes() {
        int rows = 0;
        for (int i = 0; i < 40; i++) {
            rows += next("[1]", lasting("i", 1L << i)).size();
        }
        assertThat(rows).isEqualTo(KeptPictures.MOST_TIMES);
    }

    @Test
    void manyIncidentsAtOnceAreKeptOneAfterTheOther() {
        Incident[] many = IntStream.range(0, 2 * KeptPictures.MOST_AT_A_TIME)
                .mapToObj(i -> lasting("i" + i, 3))
                .toArray(Incident[]::new);
        assertThat(next("[1]", many)).hasSize(KeptPictures.MOST_AT_A_TIME);
        assertThat(next("[1]", many)).hasSize(KeptPictures.MOST_AT_A_TIME);
        assertThat(next("[1]", many)).isEmpty();
    }

    @Test
    void whatIsOverIsNotKeptAgain() {
        assertThat(next("[1]", Samples.incident("i", IncidentState.RESOLVED, "it was slow")))
                .isEmpty();
    }

    @Test
    void longNamesLeaveKernelsOut() {
        String name = "k".repeat(KernelPictureJson.MOST_CHARS / 2);
        assertThat(KernelPictureJson.kept(List.of(picture(name), picture(name + "2"), picture("gemm"))))
                .hasSizeLessThanOrEqualTo(KernelPictureJson.MOST_CHARS)
                .startsWith("[{")
                .endsWith("}]")
                .contains("\"gemm\"")
                .doesNotContain(name + "2");
        assertThat(KernelPictureJson.kept(List.of(picture(name + name)))).isEmpty();
    }

    @Test
    void waitsOfNoStepAreNotKept() {
        WaitTable none = new WaitTable(List.of(), List.of(), 0);
        assertThat(WaitJson.kept(null)).isEmpty();
        assertThat(WaitJson.kept(new LiveWaits(none, -1, -1, 0))).isEmpty();
        assertThat(WaitJson.kept(new LiveWaits(none, 3, 4, 2))).contains("\"stepsLooked\":2");
    }
}
