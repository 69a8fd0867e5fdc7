package dev.argus.benchmarks;

import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What a benchmark checks in a verdict ({@code argus.verdict/1}) to know that the work was done.
 *
 * @param kernels sum over its traces
 * @param accused ranks its incidents name
 */
record VerdictDigest(long kernels, Set<Integer> accused) {
    private static final VerdictDigest NOTHING = new VerdictDigest(0, Set.of());

    /** Reads a verdict; what is none gives no kernels and nobody accused. */
    static VerdictDigest of(String json) {
        try (JsonParser in = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            return in.nextToken() == JsonToken.START_OBJECT ? top(in) : NOTHING;
        } catch (JacksonException e) {
            return NOTHING;
        }
    }

    private static VerdictDigest top(JsonParser in) {
        long kernels = 0;
        Set<Integer> accused = new TreeSet<>();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = in.currentName();
            JsonToken value = in.nextToken();
            if (name.equals("traces") && value == JsonToken.START_ARRAY) {
                kernels = traces(in);
            } else if (name.equals("incidents") && value == JsonToken.START_ARRAY) {
                incidents(in, accused);
            } else {
                in.skipChildren();
            }
        }
        return new VerdictDigest(kernels, accused);
    }

    private static long traces(JsonParser in) {
        long kernels = 0;
        while (in.nextToken() == JsonToken.START_OBJECT) {
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean wanted = in.currentName().equals("kernels");
                if (in.nextToken() == JsonToken.VALUE_NUMBER_INT && wanted) {
                    kernels += in.getLongValue();
                }
                in.skipChildren();
            }
        }
        return kernels;
    }

    private static void incidents(JsonParser in, Set<Integer> accused) {
        while (in.nextToken() == JsonToken.START_OBJECT) {
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean wanted = in.currentName().equals("ranks");
                if (in.nextToken() == JsonToken.START_ARRAY && wanted) {
                    while (in.nextToken() == JsonToken.VALUE_NUMBER_INT) {
                        accused.add(in.getIntValue());
                    }
                } else {
                    in.skipChildren();
                }
            }
        }
    }
}
