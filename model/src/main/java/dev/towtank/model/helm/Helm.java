package dev.towtank.model.helm;

import dev.towtank.model.template.Bounds;
import dev.towtank.model.template.GoTemplate;
import dev.towtank.model.template.GoText;
import dev.towtank.model.template.Meter;
import dev.towtank.model.template.TemplateError;
import dev.towtank.model.template.TemplateSettings;
import dev.towtank.model.template.TemplateSettings.MissingKey;
import dev.towtank.model.template.TypedMap;
import dev.towtank.model.template.Written;
import dev.towtank.model.template.functions.Ambient;
import dev.towtank.model.template.functions.HelmFunctions;
import dev.towtank.model.template.functions.SemanticVersions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Renders charts as Helm 3 does.
public final class Helm {
    // The deepest first; those that are higher up are parsed later, so that what they define counts.
    private static final Comparator<String> PARSE_ORDER = Comparator.<String>comparingInt(Helm::depth)
            .thenComparing(Comparator.naturalOrder())
            .reversed();

    private Helm() {}

    private static int depth(String path) {
        int depth = 0;
        for (int i = path.indexOf('/'); i >= 0; i = path.indexOf('/', i + 1)) {
            depth++;
        }
        return depth;
    }

    /// How a chart is to be rendered.
    ///
    /// @param checksValues whether values have to fit `values.schema.json`
    public record Options(
            Release release, Capabilities capabilities, Ambient ambient, Bounds bounds, boolean checksValues) {

        public Options(Release release, Capabilities capabilities, Ambient ambient, Bounds bounds) {
            this(release, capabilities, ambient, bounds, true);
        }

        public Options of(Release other) {
            return new Options(other, capabilities, ambient, bounds, checksValues);
        }
    }

    /// @param values those that were given, which count more than the chart's own
    /// @throws HelmError where the values do not fit, or a template fails
    public static Rendered render(Chart chart, Map<String, @Nullable Object> values, Options options) {
        var resolved = resolved(chart, values, options);
        var written = new TreeMap<String, String>();
        templates(resolved, values, options)
                .execute(GoTemplate::execute)
                .forEach((path, text) -> written.put(path, bare(text)));
        var notes = written.remove(resolved.name() + "/templates/NOTES.txt");
        written.keySet().removeIf(path -> path.endsWith("NOTES.txt"));
        var crds = new ArrayList<Rendered.Entry>();
        collectCrds(resolved, resolved.name(), crds);
        return Manifests.sort(written, crds, notes == null ? "" : notes);
    }

    /// What each template writes, as text and with the lines that wrote it: for those who look for mistakes.
    ///
    /// @throws HelmError as [#render] does
    public static Map<String, Written> write(Chart chart, Map<String, @Nullable Object> values, Options options) {
        var written =
                templates(resolved(chart, values, options), values, options).execute(GoTemplate::write);
        written.replaceAll((_, each) -> new Written(bare(each.text()), each.lines()));
        return written;
    }

    private static String bare(String text) {
        return text.replace("<no value>", "");
    }

    private static Chart resolved(Chart chart, Map<String, @Nullable Object> values, Options options) {
        if (chart.isLibrary()) {
            throw new HelmError("library charts are not installable");
        }
        checkKubeVersion(chart, options.capabilities().kubeVersion());
        return Dependencies.resolve(chart, values);
    }

    private static Templates templates(Chart resolved, Map<String, @Nullable Object> values, Options options) {
        var all = ValueTables.copy(values);
        ValueTables.coalesce(resolved, all, false);
        if (options.checksValues()) {
            ValuesSchemas.check(resolved, all);
        }
        var templates = new Templates(options);
        templates.add(resolved, resolved.name(), all, true);
        return templates;
    }

    private static void checkKubeVersion(Chart chart, KubeVersion version) {
        var wanted = chart.metadata().string("kubeVersion");
        if (!wanted.isEmpty() && !SemanticVersions.satisfies(wanted, version.version())) {
            throw new HelmError("chart requires kubeVersion: " + wanted + " which is incompatible with Kubernetes "
                    + version.version());
        }
    }

    private static void collectCrds(Chart chart, String path, List<Rendered.Entry> crds) {
        chart.crds().forEach((file, content) -> crds.addAll(Manifests.read(path + "/" + file, GoText.of(content))));
        chart.dependencies().forEach(each -> collectCrds(each, path + "/charts/" + each.name(), crds));
    }

    /// How a template is executed: for its text alone, or with more about it.
    @FunctionalInterface
    private interface Execution<W> {
        W of(GoTemplate templates, String path, Object data, TemplateSettings settings);
    }

    /// The templates of a chart and of all below it, each with what it sees.
    private static final class Templates {
        private record Template(String text, TypedMap data, String folder) {}

        private final Options options;
        private final Map<String, Template> byPath = new TreeMap<>(PARSE_ORDER);

        Templates(Options options) {
            this.options = options;
        }

        TypedMap add(Chart chart, String path, Map<String, @Nullable Object> values, boolean isRoot) {
            var subcharts = new TreeMap<String, @Nullable Object>();
            var data = TypedMap.named("chartutil.Values", Map.of());
            data.put("Chart", new ChartObject(chart.metadata(), isRoot));
            data.put("Files", new ChartFilesObject(chart.files()));
            data.put("Release", options.release().values());
            data.put("Capabilities", options.capabilities());
            data.put("Values", TypedMap.named("chartutil.Values", values));
            data.put("Subcharts", subcharts);
            for (var each : chart.dependencies()) {
                var inner = ValueTables.find(values, each.name());
                subcharts.put(
                        each.name(),
                        add(
                                each,
                                path + "/charts/" + each.name(),
                                inner == null ? new TreeMap<String, @Nullable Object>() : inner,
                                false));
            }
            chart.templates().forEach((file, content) -> {
                boolean isPartial = file.substring(file.lastIndexOf('/') + 1).startsWith("_");
                if (isPartial || !chart.isLibrary()) {
                    byPath.put(path + "/" + file, new Template(GoText.of(content), data, path + "/templates"));
                }
            });
            return data;
        }

        <W> Map<String, W> execute(Execution<W> execution) {
            var functions = HelmFunctions.chart(options.ambient());
            var parsed = GoTemplate.named(HelmFunctions.ALL_TOGETHER);
            var texts = new LinkedHashMap<String, String>();
            byPath.forEach((path, template) -> texts.put(path, template.text()));
            try {
                parsed = parsed.with(texts, functions);
            } catch (TemplateError e) {
                throw new HelmError(ErrorTexts.parsing(e.text()));
            }
            var settings = new TemplateSettings(functions, MissingKey.ZERO, new Meter(options.bounds()));
            var written = new TreeMap<String, W>(PARSE_ORDER);
            for (var path : byPath.keySet()) {
                if (!path.substring(path.lastIndexOf('/') + 1).startsWith("_")) {
                    written.put(path, execute(parsed, path, settings, execution));
                }
            }
            return written;
        }

        private <W> W execute(GoTemplate parsed, String path, TemplateSettings settings, Execution<W> execution) {
            var template = java.util.Objects.requireNonNull(byPath.get(path));
            var about = new TreeMap<String, @Nullable Object>();
            about.put("Name", path);
            about.put("BasePath", template.folder());
            template.data().put("Template", about);
            try {
                return execution.of(parsed, path, template.data(), settings);
            } catch (TemplateError e) {
                throw new HelmError(ErrorTexts.executing(e.text()));
            }
        }
    }
}
