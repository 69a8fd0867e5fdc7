package dev.argus.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The OpenAPI document of a server, and whether answers are as it declares. */
final class Documents {
    private final JsonNode document;

    Documents(byte[] openApi) {
        document = JsonMapper.shared().readTree(openApi);
    }

    JsonNode document() {
        return document;
    }

    static JsonNode tree(HttpResponse<byte[]> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    /** The declared answers of an operation. */
    JsonNode responses(String template, String method) {
        JsonNode operation = document.get("paths").get(template).get(method);
        assertThat(operation).as(method + " " + template).isNotNull();
        return operation.get("responses");
    }

    /** Checks status, media type and body of an answer. */
    void check(String template, String method, HttpResponse<byte[]> answer) {
        JsonNode responses = responses(template, method);
        JsonNode declared = responses.get(Integer.toString(answer.statusCode()));
        String type = answer.headers().firstValue("Content-Type").orElse("");
        String where = method + " " + template + " " + answer.statusCode() + " " + type;
        if (declared == null) {
            assertThat(answer.statusCode()).as(where).isGreaterThanOrEqualTo(400);
            assertThat(type).as(where).isEqualTo("application/json");
            check("Problem", answer.body());
            return;
        }
        JsonNode content = declared.get("content").get(type);
        assertThat(content).as(where + " is declared").isNotNull();
        JsonNode schema = content.get("schema");
        if (schema != null) {
            String reference = schema.get("$ref").stringValue();
            check(reference.substring(reference.lastIndexOf('/') + 1), answer.body());
        }
    }

    /** Checks a JSON document against a schema of the components. */
    void check(String name, byte[] json) {
        String text = new String(json, UTF_8);
        assertThat(schema(name).validate(text, InputFormat.JSON))
                .as(name + ": " + text)
                .isEmpty();
    }

    private Schema schema(String name) {
        ObjectNode root = JsonMapper.shared().createObjectNode();
        root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        root.put("$ref", "#/components/schemas/" + name);
        root.set("components", document.get("components"));
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(root.toString(), InputFormat.JSON);
    }
}
