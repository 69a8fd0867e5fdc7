package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.GpuReading;
import dev.argus.model.GpuReading.Metric;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** GPU metrics as text and as answers of Prometheus. */
class GpuMetricsTest {
    private static final String TEXT = """
            # HELP DCGM_FI_DEV_SM_CLOCK SM clock frequency (in MHz).
            # TYPE DCGM_FI_DEV_SM_CLOCK gauge
            DCGM_FI_DEV_SM_CLOCK{gpu="0",UUID="GPU-a",device="nvidia0",Hostname="n1"} 1980
            DCGM_FI_DEV_SM_CLOCK{gpu="1",UUID="GPU-b",Hostname="n1",pod="a,b}\\"c"} 1200 1700000000000
            DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-a",device="nvidia0",Hostname="n1"} 61.5
            go_gc_duration_seconds{quantile="0"} 5.2e-05
            """;

    private static Reading read(String text) {
        return Reading.of("metrics", text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<GpuReading> gpus(Reading read) {
        return read.outcome.records().stream().map(r -> (GpuReading) r).toList();
    }

    @Test
    void theTextOfAnExporter() {
        Reading read = read(TEXT);
        assertThat(read.outcome.format()).isEqualTo("dcgm-exporter");
        assertThat(read.problems()).isEmpty();
        assertThat(gpus(read)).extracting(GpuReading::index).containsExactly(0, 1);
        assertThat(gpus(read)).extracting(g -> read.names.name(g.uuid())).containsExactly("GPU-a", "GPU-b");
        assertThat(gpus(read).getFirst().metrics())
                .extracting(m -> read.names.name(m.name()))
                .containsExactly("DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_SM_CLOCK");
        Metric clock = gpus(read).getLast().metrics().getFirst();
        assertThat(clock.last()).isEqualTo(1200);
        assertThat(clock.lastNanos()).isEqualTo(1_700_000_000_000_000_000L);
    }

    /** What DCGM writes for "no value" is no value. */
    @Test
    void sentinelsAreMissing() {
        String blank = "DCGM_FI_DEV_XID_ERRORS{gpu=\"0\",Hostname=\"n1\"} ";
        for (String value : List.of(
                "2147483632",
                "2147483634",
                "9223372036854775792",
                "9.223372036854776e+18",
                "140737488355328",
                "NaN",
                "+Inf")) {
            Metric m = gpus(read(blank + value + "\n")).getFirst().metrics().getFirst();
            assertThat(m.missing()).as(value).isEqualTo(1);
            assertThat(m.count()).as(value).isZero();
            assertThat(m.last()).as(value).isNaN();
        }
        for (String value : List.of("2147483631", "0", "-1", "140737488355320")) {
            assertThat(gpus(read(blank + value + "\n"))
                            .getFirst()
                            .metrics()
                            .getFirst()
                            .count())
                    .as(value)
                    .isEqualTo(1);
        }
    }

    @Test
    void cutAndBrokenLinesAreCounted() {
        byte[] whole = TEXT.getBytes(StandardCharsets.UTF_8);
        for (int n = TEXT.indexOf("1980") + 5; n < whole.length; n++) {
            Reading cut = Reading.of("metrics", Arrays.copyOf(whole, n));
            assertThat(gpus(cut)).as("%d bytes", n).isNotEmpty();
        }
        Reading read = read(TEXT + "DCGM_FI_X{gpu=\"0\n" + "DCGM_FI_X{gpu} 4\nDCGM_FI_X 4\nDCGM_FI_X{gpu=\"0\"} four\n"
                + "DCGM_FI_X{job=\"a\"} 4\n");
        assertThat(read.problems()).containsExactly("broken-lines", "nobodys-samples");
        assertThat(read.outcome.problems().getFirst().detail()).contains("4 lines");
    }

    private static String answer(String series) {
        return "{'status':'success','data':{'resultType':'matrix','result':[" + series + "]}}";
    }

    @Test
    void answersOfPrometheus() {
        String labels = "'metric':{'__name__':'DCGM_FI_DEV_GPU_TEMP','gpu':'0','Hostname':'n1','UUID':'GPU-a'}";
        Reading read = Reading.of(answer("{" + labels + ",'value':[1700000000.5,'29']},"
                + "{" + labels.replace("n1", "n2").replace("GPU-a", "GPU-c")
                + ",'values':[[1700000000,'30'],[1700000060,'NaN'],[1700000120,'28']]},"
                + "{'metric':{'__name__':'up'},'value':[1,'1']}"));
        assertThat(read.outcome.format()).isEqualTo("prometheus");
        assertThat(read.problems()).containsExactly("other-metrics");
        assertThat(gpus(read)).as("the index alone is not unique").hasSize(2);
        assertThat(gpus(read).getFirst().firstNanos()).isEqualTo(1_700_000_000_500_000_000L);
        Metric range = gpus(read).getLast().metrics().getFirst();
        assertThat(range.count()).isEqualTo(2);
        assertThat(range.missing()).isEqualTo(1);
        assertThat(range.min()).isEqualTo(28);
        assertThat(range.max()).isEqualTo(30);
        assertThat(range.last()).isEqualTo(28);
    }

    @Test
    void otherAnswersAreIgnored() {
        assertThat(Reading.of(answer("{'metric':{'__name__':'up'},'value':[1,'1']}"))
                        .outcome
                        .status())
                .isEqualTo(Status.IGNORED);
        assertThat(Reading.of("{'data':{'a':1}}").outcome.status()).isEqualTo(Status.IGNORED);
        assertThat(Reading.of(answer("7,{},{'metric':{}},{'metric':{'__name__':'DCGM_FI_A','gpu':'0'},'value':7}"))
                        .outcome
                        .status())
                .isEqualTo(Status.IGNORED);
        assertThat(Reading.of("{'status':'success','data':{'resu").outcome.status())
                .isEqualTo(Status.FAILED);
    }
}
