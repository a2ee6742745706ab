package dev.towtank.model.template;

import static org.assertj.core.api.Assertions.fail;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.template.TemplateSettings.MissingKey;
import dev.towtank.model.template.functions.Ambient;
import dev.towtank.model.template.functions.HelmFunctions;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Templates that are nearly right: each is parsed and executed within its bounds, or refused in Go's words, and
/// nothing
/// else happens.
@Tag("deep")
class TemplateFuzzTest {
    private static final int ROUNDS = 40_000;
    private static final String PIECES = "{{}}-|.$()\"`'\\\\\n\t :=,x1e+_&!";
    private static final List<String> WORDS = List.of(
            "{{",
            "}}",
            "{{-",
            "-}}",
            "{{/*",
            "*/}}",
            "if",
            "else",
            "end",
            "range",
            "with",
            "define",
            "template",
            "block",
            "break",
            "continue",
            "nil",
            "true",
            ".a",
            "$x",
            ":=",
            "printf",
            "\"%v\"",
            "0x1p4",
            "'\\n'",
            "1e400",
            "tpl",
            "dict");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void nothingButTemplatesAndTheirErrors(long seed) throws IOException {
        var random = new Random(seed);
        var corpus = corpus();
        var functions = HelmFunctions.chart(new Ambient(Instant.EPOCH, ZoneOffset.UTC, random))
                .without(
                        "genPrivateKey",
                        "genCA",
                        "genSelfSignedCert",
                        "genSignedCert",
                        "bcrypt",
                        "htpasswd",
                        "derivePassword");
        for (int i = 0; i < ROUNDS; i++) {
            var text = mutated(corpus.get(random.nextInt(corpus.size())), random);
            try {
                GoTemplate.parse("t", text, functions)
                        .execute(
                                new TreeMap<String, Object>(),
                                new TemplateSettings(
                                        functions, MissingKey.ZERO, new Meter(new Bounds(50_000, 1 << 16, 50))));
            } catch (TemplateError e) {
                // This is how it should end.
                Objects.requireNonNull(e.getMessage());
            } catch (RuntimeException | StackOverflowError e) {
                fail("seed " + seed + ", round " + i + ": " + text, e);
            }
        }
    }

    private static List<String> corpus() throws IOException {
        var all = new ArrayList<String>();
        for (var table : List.of("language", "values", "errors", "printf", "sprig", "documents")) {
            try (var in = Objects.requireNonNull(TemplateFuzzTest.class.getResourceAsStream(table + ".yaml"))) {
                ((Json.Arr) YamlText.parse(in.readAllBytes()))
                        .objects()
                        .forEach(each -> all.add(each.string("template")));
            }
        }
        all.removeIf(text -> text.matches("(?s).*(gen[A-Z]|htpasswd|bcrypt|derivePassword).*"));
        return all;
    }

    private static String mutated(String text, Random random) {
        var out = new StringBuilder(text);
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(out.length() + 1);
            switch (random.nextInt(5)) {
                case 0 -> out.insert(at, WORDS.get(random.nextInt(WORDS.size())));
                case 1 -> out.insert(at, PIECES.charAt(random.nextInt(PIECES.length())));
                case 2 -> out.delete(at, Math.min(out.length(), at + 1 + random.nextInt(6)));
                case 3 -> out.insert(at, out.substring(at, Math.min(out.length(), at + random.nextInt(20))));
                default -> out.insert(at, (char) random.nextInt(0x2100));
            }
        }
        return out.toString();
    }
}
