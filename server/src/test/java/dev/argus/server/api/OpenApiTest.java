package dev.argus.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.argus.server.Served;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document follows the OpenAPI 3.1 schema (Apache-2.0, by the OpenAPI Initiative), and nothing in it leads nowhere. */
class OpenApiTest {
    private static final Path ROOT = Path.of(Objects.requireNonNull(System.getProperty("argus.root")));

    @TempDir
    Path data;

    private String document() throws Exception {
        try (Served served = new Served(data)) {
            return new String(served.get("/api/v1/openapi.json").body(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void followsTheSchemaOfOpenApi() throws Exception {
        String schema;
        try (InputStream in =
                Objects.requireNonNull(OpenApiTest.class.getResourceAsStream("openapi-3.1.schema.json"))) {
            schema = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        var checked = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema, InputFormat.JSON);
        assertThat(checked.validate(document(), InputFormat.JSON)).isEmpty();
        assertThat(checked.validate(document().replace("\"in\":\"query\"", "\"in\":\"nowhere\""), InputFormat.JSON))
                .isNotEmpty();
    }

    @Test
    void referencesLeadSomewhereEverySchemaIsUsedAndIdsAreUnique() throws Exception {
        JsonNode tree = JsonMapper.shared().readTree(document());
        List<String> references = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        collect(tree, "$ref", references);
        collect(tree, "operationId", ids);
        assertThat(ids).hasSizeGreaterThan(15).doesNotHaveDuplicates();
        assertThat(references)
                .isNotEmpty()
                .allSatisfy(r -> assertThat(tree.at(r.substring(1)).isMissingNode())
                        .as(r)
                        .isFalse());
        Set<String> used = new TreeSet<>();
        references.forEach(r -> used.add(r.substring(r.lastIndexOf('/') + 1)));
        Set<String> schemas = new TreeSet<>();
        tree.at("/components/schemas").propertyNames().forEach(schemas::add);
        assertThat(used).containsAll(schemas);
    }

    @Test
    void everyObjectIsClosed() throws Exception {
        JsonNode schemas = JsonMapper.shared().readTree(document()).at("/components/schemas");
        assertClosed(schemas, "");
    }

    private static void assertClosed(JsonNode node, String at) {
        JsonNode type = node.get("type");
        if (type != null && type.isString() && type.stringValue().equals("object") && !at.equals("/OpenApi")) {
            assertThat(node.has("additionalProperties")).as(at).isTrue();
        }
        node.propertyStream().forEach(member -> assertClosed(member.getValue(), at + "/" + member.getKey()));
    }

    @Test
    void incidentsAreThoseOfTheVerdict() throws Exception {
        JsonNode verdict = JsonMapper.shared()
                .readTree(ROOT.resolve("docs/schema/verdict-1.schema.json").toFile())
                .at("/$defs/finding");
        JsonNode incident = JsonMapper.shared().readTree(document()).at("/components/schemas/Incident");
        assertThat(plain(incident)).isEqualTo(plain(verdict));
    }

    /** Without the names of what is referred to, which differ. */
    private static String plain(JsonNode node) {
        return node.toString().replaceAll("\"#/[^\"]*\"", "\"\"");
    }

    private static void collect(JsonNode node, String name, List<String> into) throws IOException {
        JsonNode value = node.get(name);
        if (value != null && value.isString()) {
            into.add(value.stringValue());
        }
        for (JsonNode child : node) {
            collect(child, name, into);
        }
    }
}
