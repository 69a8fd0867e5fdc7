package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Direction;
import dev.argus.model.HostClock;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.Level;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schema knows the words of the model, all of them and no others, and lets nothing else through. */
class SchemaTest {
    private static final Path ROOT = Path.of(Objects.requireNonNull(System.getProperty("argus.root")));
    private final JsonNode schema = read();

    @Test
    void enumsAreThoseOfTheModel() {
        assertThat(words("/$defs/finding/properties/kind/enum"))
                .containsExactlyElementsOf(Arrays.stream(IncidentKind.values())
                        .map(IncidentKind::text)
                        .toList());
        assertThat(words("/properties/incidents/items/allOf/1/properties/kind/enum"))
                .containsExactlyElementsOf(Arrays.stream(IncidentKind.values())
                        .filter(IncidentKind::isIncident)
                        .map(IncidentKind::text)
                        .toList());
        assertThat(words("/$defs/finding/properties/scope/enum"))
                .containsExactlyElementsOf(
                        Arrays.stream(Scope.values()).map(Scope::text).toList());
        assertThat(words("/$defs/finding/properties/severity/enum"))
                .containsExactlyElementsOf(
                        Arrays.stream(Severity.values()).map(Severity::text).toList());
        assertThat(words("/$defs/finding/properties/state/enum"))
                .containsExactlyElementsOf(Arrays.stream(IncidentState.values())
                        .map(IncidentState::text)
                        .toList());
        assertThat(words("/$defs/finding/properties/levels/items/enum"))
                .containsExactlyElementsOf(
                        Arrays.stream(Level.values()).map(Level::name).toList());
        assertThat(words("/$defs/clock/properties/refusal/enum"))
                .containsExactlyElementsOf(Stream.concat(
                                Arrays.stream(HostClock.Refusal.values()).map(HostClock.Refusal::text),
                                Stream.of("null"))
                        .toList());
        assertThat(words("/$defs/finding/properties/direction/enum"))
                .containsExactly(Direction.LONGER.text(), Direction.SHORTER.text(), "null");
    }

    @Test
    void everyObjectIsClosed() {
        List<JsonNode> objects = new ArrayList<>();
        collect(schema, objects);
        assertThat(objects).hasSizeGreaterThan(10).allSatisfy(object -> {
            assertThat(object.has("additionalProperties")).isTrue();
            assertThat(object.get("additionalProperties").isBoolean()
                            && object.get("additionalProperties").booleanValue())
                    .isFalse();
        });
    }

    @Test
    void versionIsThatOfTheBuild() throws IOException {
        assertThat(Files.readString(ROOT.resolve("pom.xml")))
                .contains("<artifactId>argus</artifactId>\n  <version>" + CommandTree.VERSION + "</version>");
    }

    private List<String> words(String pointer) {
        List<String> words = new ArrayList<>();
        schema.at(pointer).forEach(word -> words.add(word.asString("null")));
        return words;
    }

    private static void collect(JsonNode node, List<JsonNode> objects) {
        JsonNode type = node.get("type");
        if (type != null && type.isString() && type.stringValue().equals("object")) {
            objects.add(node);
        }
        node.forEach(child -> collect(child, objects));
    }

    private static JsonNode read() {
        return JsonMapper.shared()
                .readTree(ROOT.resolve("docs/schema/verdict-1.schema.json").toFile());
    }
}
