package dev.towtank.app.command;

import dev.towtank.app.engine.Failure;
import dev.towtank.app.render.ChartWishes;
import dev.towtank.app.render.LocalRender;
import dev.towtank.app.render.Remotes;
import dev.towtank.app.render.Unrenderable;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.controllers.git.source.Trust;
import dev.towtank.controllers.rendering.source.Login;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.helm.Capabilities;
import dev.towtank.model.helm.Helm;
import dev.towtank.model.helm.HelmError;
import dev.towtank.model.helm.Release;
import dev.towtank.model.helm.Rendered;
import dev.towtank.model.helm.SetValues;
import dev.towtank.model.helm.ValueFiles;
import dev.towtank.model.template.Bounds;
import dev.towtank.model.template.functions.Ambient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Renders charts, kustomizations and folders, without a server. Ends with 0 when it could, 1 when it could not, 2 when
/// called wrongly.
@Command(
        name = "render",
        description = {
            "Shows the objects that a Helm chart, a kustomization, an Application or a folder comes to, without a server.",
            "",
            "What it is shows by itself: a Chart.yaml, a kustomization.yaml, an archive, a file with Applications of Argo CD, or"
                    + " plain YAML. Applications of the repository that they lie in are read as it is there. A chart may also be"
                    + " elsewhere: oci://registry/path/chart, https://…/chart-1.0.0.tgz, or a name with --repo."
        },
        sortOptions = false)
final class RenderCommand implements Callable<Integer> {
    private static final int LONGEST_PASSWORD = 64 << 10;

    enum Form {
        YAML,
        JSON,
        NAMES
    }

    private final Surroundings surroundings;

    @Parameters(
            paramLabel = "WHAT",
            arity = "0..1",
            description = "A folder, a file, the address of a chart, or with --repo its name (. by default).")
    private String what = ".";

    @Option(names = "--repo", paramLabel = "URL", description = "The chart repository that has the chart.")
    private String repository = "";

    @Option(
            names = "--version",
            paramLabel = "VERSION",
            description = "The version or range of a chart that is elsewhere (the newest by default).")
    private String version = "";

    @Option(
            names = {"-R", "--recurse"},
            description = "Looks through folders below a folder of plain files.")
    private boolean recurses;

    @Option(names = "--username", paramLabel = "NAME", description = "Who asks the repository or registry.")
    private String username = "";

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "The file with the password for it; - for standard input.")
    private String passwordFile = "";

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Certificates of authorities that count beside those of the machine, in PEM.")
    private @Nullable Path authorityFile;

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
            show(rendered());
            return ExitCode.OK;
        } catch (Unrenderable | HelmError | JsonText.Malformed e) {
            throw new Failure("Cannot render " + shown() + ": " + e.getMessage(), e);
        } catch (NoSuchFileException e) {
            throw new Failure("Cannot read " + e.getMessage() + ": there is no such file.", e);
        } catch (IOException e) {
            throw new Failure("Cannot read " + e.getMessage() + ".", e);
        }
    }

    private List<Rendered.Entry> rendered() throws IOException, Unrenderable {
        var render = new LocalRender(
                new ChartWishes(values(), options(), version),
                Remotes.of(surroundings.environment(), surroundings.clock(), login(), authorities()),
                Path.of(""),
                this::warn);
        if (!repository.isEmpty()) {
            return render.remote(repository, what);
        }
        if (what.startsWith("oci://")) {
            return render.remote(what, "");
        }
        if (what.matches("https?://.*")) {
            return render.archive(what);
        }
        var place = Path.of(what);
        if (Files.exists(place) && LocalRender.kind(place) != LocalRender.Kind.CHART) {
            refuseChartOptions();
        }
        return render.place(place, recurses);
    }

    private void warn(String duplicate) {
        surroundings.err().println("warning: " + duplicate + "; the last one counts");
    }

    private void refuseChartOptions() {
        boolean hasValues =
                Stream.of(valueFiles, set, setString, setFile, setJson).anyMatch(each -> !each.isEmpty());
        if (hasValues || !version.isEmpty()) {
            throw new Failure(shown() + " is no chart: values and --version are for charts alone.");
        }
    }

    // Without a name and password that somebody wrote into an address.
    private String shown() {
        return what.replaceAll("://[^/@\\s]+@", "://");
    }

    private String authorities() throws IOException {
        if (authorityFile == null) {
            return "";
        }
        var pem = Files.readString(authorityFile, StandardCharsets.ISO_8859_1);
        try {
            Trust.of(pem);
        } catch (IOException e) {
            throw new Failure("--ca-file " + authorityFile + ": " + e.getMessage() + ".", e);
        }
        return pem;
    }

    private Optional<Login> login() throws IOException {
        if (username.isEmpty()) {
            return Optional.empty();
        }
        if (passwordFile.isEmpty()) {
            throw new Failure(
                    "--username needs --password-file: a password in the command line can be seen by others.");
        }
        var bytes = passwordFile.equals("-")
                ? System.in.readNBytes(LONGEST_PASSWORD)
                : Files.readAllBytes(Path.of(passwordFile));
        return Optional.of(new Login(username, new String(bytes, StandardCharsets.UTF_8).strip()));
    }

    private Helm.Options options() {
        return new Helm.Options(
                Release.install(name, namespace),
                Capabilities.of(kubeVersion).with(apiVersions),
                new Ambient(surroundings.clock().instant(), ZoneId.systemDefault(), new SecureRandom()),
                Bounds.DEFAULT);
    }

    private Map<String, @Nullable Object> values() throws IOException {
        var values = new TreeMap<String, @Nullable Object>();
        for (var file : valueFiles) {
            var text = Files.readAllBytes(file);
            ValueFiles.override(values, file.toString(), text);
            ValueFiles.duplicates(file.toString(), text).forEach(this::warn);
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

    private void show(List<Rendered.Entry> all) {
        var out = surroundings.text();
        switch (form) {
            case YAML ->
                all.forEach(each -> out.print("---\n" + origin(each.source()) + YamlText.write(each.object())));
            case JSON ->
                out.println(JsonText.pretty(new Json.Arr(
                        all.stream().<Json>map(Rendered.Entry::object).toList())));
            case NAMES -> all.forEach(each -> out.println(title(each.object())));
        }
    }

    private static String origin(String source) {
        return source.isEmpty() ? "" : "# Source: " + source + "\n";
    }

    private static String title(Json.Obj object) {
        return object.string("kind").toLowerCase(Locale.ROOT) + "/" + object.string("metadata", "name");
    }
}
