package dev.towtank.node.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretMaskTest {

    private static String masked(String text, String... secrets) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var out = new Bytes();
        SecretMask.of(List.of(secrets)).copy(bytes, 0, bytes.length, out);
        return new String(out.array(), 0, out.length(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    nothing here,           nothing here
                    hunter22,               ***
                    a hunter22 b,           a *** b
                    hunter22hunter22,       ***
                    hunter2,                hunter2
                    xhunter22 hunter22,     x*** ***
                    grün hunter22,          grün ***
                    short admin,            short admin
                    """)
    void blotsValuesOut(String text, String expected) {
        assertThat(masked(text, "hunter22", "admin", "")).isEqualTo(expected);
    }

    @Test
    void overlappingValuesAreOneBlot() {
        assertThat(masked("<abcdefgh>", "abcdef", "cdefgh")).isEqualTo("<***>");
        assertThat(masked("<abcdefgh>", "abcdef", "abcdefgh")).isEqualTo("<***>");
    }

    @Test
    void eachLineOfAValueIsSecret() {
        assertThat(masked("-----BEGIN KEY----- and c2VjcmV0", "-----BEGIN KEY-----\nc2VjcmV0\r\n"))
                .isEqualTo("*** and ***");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "ab", "abc", "user:", "longer:"})
    void encodedValuesAreFoundWhereverTheyBegin(String before) {
        var secret = "correct horse";
        var text = before + secret + " and more";

        for (var encoder : List.of(
                Base64.getEncoder(), Base64.getUrlEncoder(), Base64.getEncoder().withoutPadding())) {
            var encoded = encoder.encodeToString(text.getBytes(StandardCharsets.UTF_8));
            assertThat(masked("Basic " + encoded, secret)).contains("***").doesNotContain(encoded);
        }
    }

    @Test
    void aWholeFileOfSeveralLinesIsFoundEncoded() {
        var secret = "line one\nline two\n";

        assertThat(masked(Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8)), secret))
                .isEqualTo("***");
    }

    @Test
    void doesNotTellWhatItHides() {
        assertThat(SecretMask.of(List.of("hunter22"))).hasToString("SecretMask");
    }

    @Test
    void masksATextAsAWhole() {
        assertThat(SecretMask.of(List.of("hunter2-and-more")).masked("is hunter2-and-more, ünï"))
                .isEqualTo("is ***, ünï");
        assertThat(SecretMask.of(List.of()).masked("as it is")).isEqualTo("as it is");
    }
}
