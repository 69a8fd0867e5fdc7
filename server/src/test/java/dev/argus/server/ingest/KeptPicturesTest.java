package dev.argus.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.server.Samples;
import dev.argus.storage.Rows;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptPicturesTest {
    private final KeptPictures kept = new KeptPictures();
    private final List<String> asked = new ArrayList<>();

    private static KernelPicture picture(String kernel) {
        return new KernelPicture(
                "i",
                kernel,
                true,
                1,
                2,
                2,
                List.of(),
                1,
                2,
                new float[KernelPicture.BINS],
                new float[KernelPicture.BINS],
                new float[KernelPicture.BINS],
                List.of());
    }

    private static Incident lasting(long steps) {
        Incident i = Samples.incident("i", IncidentState.ONGOING, "it is slow");
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

    private List<Rows.Picture> next(Incident incident, KernelPicture... pictures) {
        return kept.next(
                "j",
                List.of(incident),
                i -> {
                    asked.add(i.id());
                    return List.of(pictures);
                },
                7);
    }

    @Test
    void theFirstThatAreThereAndAgainWithTwiceAsManySteps() {
        assertThat(next(lasting(1))).as("no window of its steps yet").isEmpty();
        assertThat(next(lasting(3), picture("gemm"))).singleElement().satisfies(p -> {
            assertThat(p.incident()).isEqualTo("i");
            assertThat(p.atNanos()).isEqualTo(7);
            assertThat(p.document()).contains("gemm");
        });
        assertThat(next(lasting(5), picture("gemm"))).as("not twice as many").isEmpty();
        assertThat(asked).as("nor is anything made for nothing").hasSize(2);
        assertThat(next(lasting(6), picture("gemm"))).hasSize(1);
    }

    @Test
    void anEndlessIncidentIsKeptSoManyTimes() {
        int rows = 0;
        for (int i = 0; i < 40; i++) {
            rows += next(lasting(1L << i), picture("gemm")).size();
        }
        assertThat(rows).isEqualTo(KeptPictures.MOST_TIMES);
    }

    @Test
    void whatIsOverIsNotKeptAgain() {
        assertThat(next(Samples.incident("i", IncidentState.RESOLVED, "it was slow"), picture("gemm")))
                .isEmpty();
    }

    @Test
    void longNamesLeaveKernelsOut() {
        String name = "k".repeat(KeptPictures.MOST_CHARS / 2);
        assertThat(next(lasting(3), picture(name), picture(name + "2"), picture("gemm")))
                .singleElement()
                .satisfies(p -> assertThat(p.document())
                        .hasSizeLessThanOrEqualTo(KeptPictures.MOST_CHARS)
                        .contains("gemm")
                        .doesNotContain(name + "2"));
    }
}
