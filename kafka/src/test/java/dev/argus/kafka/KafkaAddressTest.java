package dev.argus.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaAddressTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kafka://a:9092/t|a:9092|t",
                "KAFKA://a:1,B.example:65535/T_x.y-z|a:1,b.example:65535|T_x.y-z",
                "kafka://a:9092|a:9092|usual",
                "kafka://a:9092/|a:9092|usual",
                "kafka://[::1]:9092/t|[::1]:9092|t"
            })
    void readsBrokersAndTopic(String text, String bootstrap, String topic) {
        assertThat(KafkaAddress.of(text, "usual")).isEqualTo(new KafkaAddress(bootstrap, topic));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "http://a:1/t",
                "kafka://",
                "kafka:///t",
                "kafka://a/t",
                "kafka://a:0/t",
                "kafka://a:65536/t",
                "kafka://a:1,/t",
                "kafka://user@a:1/t",
                "kafka://a:1/t/u",
                "kafka://a:1/..",
                "kafka://a:1/t?x",
                "kafka://a:1/\u202e"
            })
    void saysWhatWasExpected(String text) {
        assertThatThrownBy(() -> KafkaAddress.of(text, "usual"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected kafka://HOST:PORT");
    }

    @Test
    void isAnAddressThatSaysTheSame() {
        KafkaAddress two = KafkaAddress.of("kafka://a:1,b:2/t", "usual");
        assertThat(KafkaAddress.of(two.uri().toString(), "")).isEqualTo(two);
        assertThat(two.with("u")).hasToString("kafka://a:1,b:2/u");
    }

    @Test
    void propertiesMaySetWhatConcernsTlsAndSaslAlone() throws IOException {
        Path file = Files.writeString(
                folder.resolve("k.properties"),
                "# secret\nsecurity.protocol=SASL_SSL\nsasl.jaas.config=x required password=\"p\\u00e4ss\";\nssl.truststore.location=/t\n");
        assertThat(new KafkaAccess(file).read())
                .containsOnlyKeys("security.protocol", "sasl.jaas.config", "ssl.truststore.location")
                .containsEntry("sasl.jaas.config", "x required password=\"p\u00e4ss\";");
        assertThat(KafkaAccess.NONE.read()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"acks=0", "bootstrap.servers=other:1", "interceptor.classes=SECRET", "x=SECRET", "ssl.x=\\uZZ"})
    void whatElseItSetsIsRefusedWithoutSayingAValue(String line) throws IOException {
        Path file = Files.writeString(folder.resolve("k.properties"), line + "\n");
        assertThatThrownBy(() -> new KafkaAccess(file).read())
                .isInstanceOf(IOException.class)
                .hasMessageNotContaining("SECRET")
                .hasMessageContaining("expected");
    }

    @Test
    void aFileThatIsNotThereIsSaid() {
        assertThatThrownBy(() -> new KafkaAccess(folder.resolve("none")).read())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none': it does not exist; expected a file of properties");
    }
}
