package dev.towtank.app;

import dev.towtank.controllers.rendering.source.ChartFiles;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.helm.Capabilities;
import dev.towtank.model.helm.Chart;
import dev.towtank.model.helm.Helm;
import dev.towtank.model.helm.HelmError;
import dev.towtank.model.helm.KubeVersion;
import dev.towtank.model.helm.Release;
import dev.towtank.model.helm.Rendered;
import dev.towtank.model.helm.SetValues;
import dev.towtank.model.helm.ValueFiles;
import dev.towtank.model.template.Bounds;
import dev.towtank.model.template.functions.Ambient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Renders a chart, without a server. Ends with 0 when it could, 1 when it could not, 2 when called wrongly.
@Command(
        name = "render",
        description =
                "Shows the objects that a Helm chart comes to, without a server: a folder with a Chart.yaml, or an archive.",
        sortOptions = false)
final class RenderCommand implements Callable<Integer> {
    private static final List<String> BUILTIN_APIS = List.of(
            "v1",
            "admissionregistration.k8s.io/v1",
            "apiextensions.k8s.io/v1",
            "apiregistration.k8s.io/v1",
            "apps/v1",
            "authentication.k8s.io/v1",
            "authorization.k8s.io/v1",
            "autoscaling/v1",
            "autoscaling/v2",
            "batch/v1",
            "certificates.k8s.io/v1",
            "coordination.k8s.io/v1",
            "discovery.k8s.io/v1",
            "events.k8s.io/v1",
            "networking.k8s.io/v1",
            "node.k8s.io/v1",
            "policy/v1",
            "rbac.authorization.k8s.io/v1",
            "scheduling.k8s.io/v1",
            "storage.k8s.io/v1");

    enum Form {
        YAML,
        JSON,
        NAMES
    }

    private final Surroundings surroundings;

    @Parameters(paramLabel = "CHART", description = "The folder of a chart, or its archive.")
    private Path place = Path.of(".");

    @Option(
            names = {"-f", "--values"},
            paramLabel = "FILE",
            description = "Values that count more than the chart's own, and more than those of files named before.")
    private List<Path> valueFiles = List.of();

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Single values, as in a.b=1,list[0]=x.")
    private List<String> set = List.of();

    @Option(names = "--set-string", paramLabel = "KEY=VALUE", description = "The same, always as strings.")
    private List<String> setString = List.of();

    @Option(names = "--set-file", paramLabel = "KEY=FILE", description = "The same, with the content of files.")
    private List<String> setFile = List.of();

    @Option(names = "--set-json", paramLabel = "KEY=JSON", description = "The same, with JSON as the value.")
    private List<String> setJson = List.of();

    @Option(names = "--name", paramLabel = "NAME", description = "The name of the release (release-name by default).")
    private String name = "release-name";

    @Option(
            names = "--namespace",
            paramLabel = "NAMESPACE",
            description = "Where it would be installed (default by default).")
    private String namespace = "default";

    @Option(
            names = "--api-versions",
            paramLabel = "API",
            split = ",",
            description = "APIs that the cluster has beyond Kubernetes' own, as in monitoring.coreos.com/v1.")
    private List<String> apiVersions = List.of();

    @Option(
            names = "--kube-version",
            paramLabel = "VERSION",
            description = "The cluster's version (v1.35.0 by default).")
    private String kubeVersion = "v1.35.0";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "yaml (the default), json or names.")
    private Form form = Form.YAML;

    RenderCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try {
            show(Helm.render(Chart.of(ChartFiles.read(place)), values(), options()));
            return ExitCode.OK;
        } catch (HelmError | JsonText.Malformed e) {
            throw new Failure("Cannot render " + place + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new Failure("Cannot read " + e.getMessage() + ".", e);
        }
    }

    private Helm.Options options() {
        return new Helm.Options(
                Release.install(name, namespace),
                new Capabilities(KubeVersion.of(kubeVersion), BUILTIN_APIS).with(apiVersions),
                new Ambient(surroundings.clock().instant(), ZoneId.systemDefault(), new SecureRandom()),
                Bounds.DEFAULT);
    }

    private Map<String, @Nullable Object> values() throws IOException {
        var values = new TreeMap<String, @Nullable Object>();
        for (var file : valueFiles) {
            ValueFiles.override(values, file.toString(), Files.readAllBytes(file));
        }
        setJson.forEach(each -> SetValues.setJson(each, values));
        set.forEach(each -> SetValues.set(each, values));
        setString.forEach(each -> SetValues.setString(each, values));
        setFile.forEach(each -> SetValues.setFile(each, values, RenderCommand::content));
        return values;
    }

    private static String content(String file) {
        try {
            return Files.readString(Path.of(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new Failure("Cannot read " + e.getMessage() + ".", e);
        }
    }

    private void show(Rendered rendered) {
        var out = surroundings.text();
        var all = Stream.of(rendered.crds(), rendered.objects(), rendered.hooks())
                .flatMap(List::stream)
                .toList();
        switch (form) {
            case YAML ->
                all.forEach(
                        each -> out.print("---\n# Source: " + each.source() + "\n" + YamlText.write(each.object())));
            case JSON ->
                out.println(JsonText.pretty(new Json.Arr(
                        all.stream().<Json>map(Rendered.Entry::object).toList())));
            case NAMES -> all.forEach(each -> out.println(title(each.object())));
        }
    }

    private static String title(Json.Obj object) {
        return object.string("kind").toLowerCase(Locale.ROOT) + "/" + object.string("metadata", "name");
    }
}
