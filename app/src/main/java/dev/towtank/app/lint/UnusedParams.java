package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.TektonTree;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.List;
import java.util.regex.Pattern;

/// Params that are declared and never used.
final class UnusedParams implements Check {

    private static final List<String> ENDS = List.of(")", ".", "[");
    /// Words of those who know it, and keep it for others.
    private static final Pattern KEPT =
            Pattern.compile("(?i)unused|not used|no longer used|deprecated|ignored|has no effect|compatib");
    /// What tools write for their own tests.
    private static final Pattern SAMPLES = Pattern.compile("(^|/)(testdata|fixtures?)/");

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        if (SAMPLES.matcher(document.source().file()).find()) {
            return;
        }
        TektonTree.taskSpecs(document).forEach(spec -> spec(document, spec, "task", seen));
        TektonTree.pipelineSpecs(document).forEach(spec -> spec(document, spec, "pipeline", seen));
        var spec = document.root().at("spec");
        if (spec != null && document.isTekton() && document.kind().equals("StepAction")) {
            spec(document, spec, "step action", seen);
        }
    }

    private static void spec(Document document, Located spec, String what, Observations seen) {
        if (spec.list("params").isEmpty()) {
            return;
        }
        var texts = new StringBuilder();
        collect(spec, texts);
        var all = texts.toString();
        for (var param : spec.list("params")) {
            var name = param.at("name");
            if (name != null
                    && name.json() instanceof Json.Str(var text)
                    && !isUsed(all, text)
                    && !KEPT.matcher(param.text("description")).find()) {
                seen.add(
                        Rule.UNUSED_PARAM,
                        document.value(name),
                        "the " + what + " never uses its param \"" + text + "\"",
                        "Use it as $(params." + text + "), or take it away here and where it is given.");
            }
        }
    }

    private static void collect(Located here, StringBuilder texts) {
        if (here.json() instanceof Json.Str(var text) && text.contains("$(")) {
            texts.append(text).append('\n');
        }
        here.fields().forEach((name, field) -> {
            if (!name.equals("description")) {
                collect(field.value(), texts);
            }
        });
        here.items().forEach(item -> collect(item, texts));
    }

    private static boolean isUsed(String texts, String name) {
        return ENDS.stream().anyMatch(end -> texts.contains("params." + name + end))
                || texts.contains("params['" + name + "']")
                || texts.contains("params[\"" + name + "\"]");
    }
}
