package dev.argus.server.alerts;

import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;

/** How a request with alerts is written. */
enum AlertFormat {
    /** The body of {@code POST /api/v2/alerts}: alerts that last end ahead, unless they are sent again. */
    ALERTMANAGER {
        @Override
        void write(Batch batch, long nowMillis, long holdMillis, StringBuilder out) throws IOException {
            JsonWriter json = new JsonWriter(out, 0).beginArray();
            for (Batch.Item item : batch.items()) {
                Map<String, String> stale = item.staleLabels();
                if (!stale.isEmpty()) {
                    // To an Alertmanager other labels are another alert: the one it knows is over.
                    alert(json, stale, item.alert(), item.alert().startsMillis(), nowMillis);
                }
                Alert a = item.alert();
                long ends = a.isActive() ? nowMillis + holdMillis : Math.min(a.endsMillis(), nowMillis);
                alert(json, a.labels(), a, Math.min(a.startsMillis(), ends), ends);
            }
            json.endArray();
        }

        private void alert(JsonWriter json, Map<String, String> labels, Alert a, long starts, long ends)
                throws IOException {
            json.beginObject();
            texts(json, "labels", labels);
            texts(json, "annotations", a.annotations());
            json.name("startsAt").value(time(starts));
            json.name("endsAt").value(time(ends));
            String link = a.annotations().get("link");
            if (link != null) {
                json.name("generatorURL").value(link);
            }
            json.endObject();
        }
    },

    /** {@code argus.alerts/1}: what has changed, with the whole incident. */
    JSON {
        @Override
        void write(Batch batch, long nowMillis, long holdMillis, StringBuilder out) throws IOException {
            out.append("{\"schema\":\"argus.alerts/1\",\"alerts\":[");
            String comma = "";
            for (Batch.Item item : batch.items()) {
                Alert a = item.alert();
                out.append(comma);
                comma = ",";
                JsonWriter json = new JsonWriter(out, 0).beginObject();
                json.name("status").value(a.isActive() ? "firing" : "resolved");
                json.name("change").value(a.change().name().toLowerCase(Locale.ROOT));
                json.name("job").value(a.key().job());
                json.name("incidentId").value(a.key().id());
                json.name("revision").value(item.revision());
                json.name("startsAt").value(time(a.startsMillis()));
                json.name("endsAt").value(a.isActive() ? null : time(a.endsMillis()));
                texts(json, "labels", a.labels());
                texts(json, "annotations", a.annotations());
                json.endObject();
                out.setLength(out.length() - 1); // the document is JSON already
                out.append(",\"incident\":").append(a.document()).append('}');
            }
            out.append("]}\n");
        }
    };

    abstract void write(Batch batch, long nowMillis, long holdMillis, StringBuilder out) throws IOException;

    /**
     * The body of a request.
     *
     * @param nowMillis now, milliseconds since the Unix epoch
     * @param holdMillis how long an alert lasts that is not sent again
     */
    byte[] body(Batch batch, long nowMillis, long holdMillis) {
        StringBuilder out = new StringBuilder();
        try {
            write(batch, nowMillis, holdMillis, out);
        } catch (IOException e) {
            throw new UncheckedIOException("writing into memory", e);
        }
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void texts(JsonWriter json, String name, Map<String, String> texts) throws IOException {
        json.name(name).beginObject();
        for (Map.Entry<String, String> t : texts.entrySet()) {
            json.name(t.getKey()).value(t.getValue());
        }
        json.endObject();
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }
}
