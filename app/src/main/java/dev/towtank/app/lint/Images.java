package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.TektonTree;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Images that say nothing of their version, or that mean nothing here.
///
/// @param problem why this machine has nothing for an image; nothing where it has
record Images(Function<String, Optional<String>> problem) implements Check {

    private static final Set<String> FIELDS = Set.of("image", "containerImage");
    /// Where nobody minds.
    private static final Pattern TESTS = Pattern.compile(
            "(^|/)(tests?|e2e|testing|hack|\\.github|[\\w.-]*-tests?)/" + "|(^|[/_-])tests?([-_][\\w.-]*)?\\.ya?ml$");
    /// Says that an image is put there when there is a new one.
    private static final String TRIGGERS = "image.openshift.io/triggers";

    /// What can be pulled; all else is a pattern, a type, or filled in by somebody.
    private static final Pattern NAME = Pattern.compile(
            "([A-Za-z0-9.-]+(:\\d+)?/)?[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:[\\w.-]+)?");

    /// What another tool replaces: what kubebuilder writes, Istio's word, and what says so itself.
    private static final Set<String> REPLACED = Set.of("controller:latest", "auto", "placeholder");

    /// Who names repositories of images, and who writes versions elsewhere.
    private static final Set<String> WITHOUT_VERSIONS = Set.of("image.toolkit.fluxcd.io", "install.istio.io");

    /// Whose images are run as they are named. Others have kinds of their own, and operators may know a version.
    private static final Set<String> RUN = Set.of(
            "",
            "apps",
            "batch",
            "tekton.dev",
            "argoproj.io",
            "apps.openshift.io",
            "serving.knative.dev",
            "serving.kserve.io",
            "kubeflow.org",
            "mlops.mlops.dev");

    /// Packages of Go, which ko builds and writes images for.
    private static final Pattern OF_GO = Pattern.compile("(github\\.com|knative\\.dev|k8s\\.io|sigs\\.k8s\\.io)/");

    /// What has an image that is built, not run.
    private static final Set<String> MADE = Set.of("output", "outputImage");

    @Override
    public void check(Document document, Observations seen) {
        if (document.kind().isEmpty() || document.apiVersion().isEmpty()) {
            return;
        }
        if (document.group().equals("skaffold")) {
            // It gives what it builds a version, wherever a file names it.
            document.root().list("build", "artifacts").forEach(each -> seen.chosenImages.add(each.text("image")));
            return;
        }
        if (WITHOUT_VERSIONS.contains(document.group())) {
            return;
        }
        var annotations = document.root().at("metadata", "annotations");
        var spec = document.root().at("spec");
        if (spec != null && (annotations == null || annotations.field(TRIGGERS) == null)) {
            images(document, spec, seen);
        }
        for (var step : TektonTree.steps(document)) {
            var image = step.at("image");
            if (image != null
                    && image.json() instanceof Json.Str(var text)
                    && !text.isEmpty()
                    && !text.contains("$(")) {
                problem.apply(text)
                        .ifPresent(why ->
                                seen.add(Rule.IMAGE_NOT_MAPPED, document.value(image), firstLine(why), rest(why)));
            }
        }
    }

    private static void images(Document document, Located here, Observations seen) {
        here.fields().forEach((name, field) -> {
            var value = field.value();
            if (!FIELDS.contains(name)) {
                if (!MADE.contains(name)) {
                    images(document, value, seen);
                }
            } else if (value.json() instanceof Json.Str(var text) && !text.isEmpty() && !text.contains("$")) {
                if (here.field("tag") != null || here.field("version") != null) {
                    return; // Values of a chart that writes the version elsewhere.
                }
                latest(document, value, text, seen);
            } else {
                images(document, value, seen);
            }
        });
        here.items().forEach(item -> images(document, item, seen));
    }

    private static void latest(Document document, Located image, String text, Observations seen) {
        var name = text.substring(text.lastIndexOf('/') + 1);
        if (!NAME.matcher(text).matches() || REPLACED.contains(text)) {
            return;
        }
        int colon = name.indexOf(':');
        var tag = colon < 0 ? "" : name.substring(colon + 1);
        if (tag.isEmpty() || tag.equals("latest")) {
            var finding = Finding.of(
                    Rule.IMAGE_LATEST,
                    document.value(image),
                    tag.isEmpty()
                            ? "the image \"" + text + "\" has no tag, which means latest: it changes from run to run"
                            : "the image \"" + text + "\" changes from run to run",
                    "Name a version or a digest.");
            boolean isOfNoInterest = TESTS.matcher(document.source().file()).find()
                    || text.startsWith("localhost")
                    || OF_GO.matcher(text).lookingAt()
                    || !RUN.contains(document.group());
            seen.add(isOfNoInterest ? finding.at(Level.INFO) : finding);
        }
    }

    private static String firstLine(String why) {
        int end = why.indexOf(". To ");
        return end < 0 ? why.lines().findFirst().orElse(why) : why.substring(0, end);
    }

    private static String rest(String why) {
        int end = why.indexOf(". To ");
        return end < 0 ? "" : why.substring(end + 2);
    }
}
