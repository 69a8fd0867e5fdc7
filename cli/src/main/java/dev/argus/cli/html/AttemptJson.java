package dev.argus.cli.html;

import dev.argus.hostlocal.report.AttemptReport;
import dev.argus.hostlocal.report.HeatMap;
import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.hostlocal.report.StepSeries;
import dev.argus.hostlocal.report.WaitTable;
import dev.argus.model.SafeText;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;

/** Writes what was measured in one attempt for the page. */
final class AttemptJson {
    private static final double NANOS_PER_MILLI = 1e6;

    private final JsonWriter json;

    AttemptJson(JsonWriter json) {
        this.json = json;
    }

    void write(AttemptReport report) throws IOException {
        json.beginObject().name("attempt").value(report.attempt());
        json.name("peers").beginArray();
        for (String label : report.peerLabels()) {
            json.value(SafeText.of(label));
        }
        json.endArray();
        steps(report.steps());
        json.name("events").beginArray();
        for (AttemptReport.StepEvent event : report.events()) {
            json.beginArray()
                    .value(event.kind())
                    .value(event.firstStep())
                    .value(event.lastStep())
                    .endArray();
        }
        json.endArray();
        heat(report.heat());
        waits(report.waits());
        json.name("kernels").beginArray();
        for (KernelPicture kernel : report.kernels()) {
            kernel(kernel);
        }
        json.endArray().endObject();
    }

    private void steps(StepSeries series) throws IOException {
        json.name("steps").beginObject().name("step").beginArray();
        for (long step : series.steps()) {
            json.value(step);
        }
        json.endArray().name("startMillis").beginArray();
        for (long start : series.startNanos()) {
            json.value(Math.round(start / NANOS_PER_MILLI));
        }
        json.endArray();
        json.name("typical").value(Packed.floats(series.typicalNanos()));
        json.name("low").value(Packed.floats(series.lowNanos()));
        json.name("high").value(Packed.floats(series.highNanos()));
        json.name("perPoint").value(series.stepsPerPoint()).endObject();
    }

    private void heat(HeatMap heat) throws IOException {
        json.name("heat").beginObject().name("rows").beginArray();
        for (HeatMap.Row row : heat.rows()) {
            json.beginArray().value(row.ranks().toString());
            json.value(SafeText.of(row.host(), 64));
            json.value(row.peerSet()).value(row.suspect()).value(row.ranks().size());
            json.endArray();
        }
        json.endArray().name("first").beginArray();
        for (long step : heat.columnFirst()) {
            json.value(step);
        }
        json.endArray().name("last").beginArray();
        for (long step : heat.columnLast()) {
            json.value(step);
        }
        json.endArray();
        json.name("ranksPerRow").value(heat.ranksPerRow());
        json.name("stepsPerColumn").value(heat.stepsPerColumn());
        json.name("stepPlaces").value(heat.stepPlaces());
        json.name("ranksLeftOut").value(heat.ranksLeftOut());
        json.name("layers").beginObject();
        for (HeatMap.Layer layer : heat.layers()) {
            json.name(layer.measure().text()).beginObject();
            json.name("ratio").value(Packed.of(layer.ratios()));
            json.name("nanos").value(Packed.of(layer.nanos()));
            json.name("worst").value(Packed.of(layer.worst())).endObject();
        }
        json.endObject().endObject();
    }

    private void waits(WaitTable waits) throws IOException {
        json.name("waits").beginObject().name("columns").beginArray();
        for (String column : waits.columns()) {
            json.value(SafeText.of(column, 64));
        }
        json.endArray().name("rows").beginArray();
        for (WaitTable.Row row : waits.rows()) {
            json.beginObject().name("late").value(row.late());
            json.name("accused").value(row.accused()).name("nanos").beginArray();
            for (long nanos : row.nanos()) {
                json.value(nanos);
            }
            json.endArray().endObject();
        }
        json.endArray().name("total").value(waits.totalNanos()).endObject();
    }

    private void kernel(KernelPicture picture) throws IOException {
        json.beginObject().name("incident").value(SafeText.of(picture.incident()));
        json.name("name").value(SafeText.of(picture.kernel(), 400));
        json.name("concerned").value(picture.concerned());
        json.name("first").value(picture.firstStep()).name("last").value(picture.lastStep());
        json.name("steps").value(picture.steps());
        json.name("ranks").beginArray();
        for (KernelPicture.Member member : picture.ranks()) {
            json.beginArray().value(member.rank()).value(member.suspect()).value(member.count());
            json.value(Math.rint(member.meanNanos()));
            json.value(short4(member.signedRatio())).value(short4(member.movedRatio()));
            json.value(short4(member.modeRatio())).endArray();
        }
        json.endArray();
        json.name("low").value(picture.lowNanos()).name("high").value(picture.highNanos());
        json.name("band").beginArray();
        json.value(Packed.of(picture.peerLow())).value(Packed.of(picture.peerMid()));
        json.value(Packed.of(picture.peerHigh())).endArray();
        json.name("curves").beginArray();
        for (KernelPicture.Curve curve : picture.curves()) {
            json.beginArray()
                    .value(curve.rank())
                    .value(Packed.of(curve.share()))
                    .endArray();
        }
        json.endArray().endObject();
    }

    /** Four decimals: a hundredth of a percent. */
    private static double short4(double ratio) {
        return Math.rint(ratio * 1e4) / 1e4;
    }
}
