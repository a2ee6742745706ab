package dev.towtank.app.lint.source;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.settings.Target.Component;
import dev.towtank.app.lint.source.SourceFiles.Content;
import dev.towtank.controllers.rendering.source.ChartFiles;
import dev.towtank.controllers.rendering.source.DiskTree;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.helm.Capabilities;
import dev.towtank.model.helm.Chart;
import dev.towtank.model.helm.Helm;
import dev.towtank.model.helm.HelmError;
import dev.towtank.model.helm.Release;
import dev.towtank.model.helm.ValueFiles;
import dev.towtank.model.kinds.BuiltinKinds;
import dev.towtank.model.kustomize.Kustomization;
import dev.towtank.model.kustomize.KustomizeError;
import dev.towtank.model.template.Written;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Charts and kustomizations among files. What they come to is looked at, a chart once with its own values and once
/// with each file of values beside it, and what is wrong is told at the line of the template.
public final class RenderedSources {
    private static final Pattern VALUES = Pattern.compile("(?!values\\.ya?ml$)(.*[-_.])?values([-_.].*)?\\.ya?ml");
    private static final Pattern MISSING =
            Pattern.compile("'([^']+)'(?:: there is no such file| doesn't exist|(?<=there is no file '[^']{1,300}'))");
    private static final Pattern SECRET = Pattern.compile(
            "(?i)(secret|seal|credential|password|passwd|token|private)[^/]*$|\\.(env|key|pem|crt|age)$");
    private static final Pattern RELEASE = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,51}[a-z0-9])?");
    private static final Pattern TEMPLATE_LINE = Pattern.compile("([^\\s():]+/templates/[^\\s():]+):(\\d+)");
    /// Without any of these, somebody else puts the objects before it, such as Helm.
    private static final Set<String> SOURCES = Set.of("resources", "bases", "components", "generators", "helmCharts");

    private static final Pattern TEMPLATES =
            Pattern.compile("(^|/)(templates?|skeletons?|scaffold(ing)?|boilerplates?|blueprints?)/");
    /// A value that is nowhere: whoever installs the chart gives it.
    private static final Pattern NO_VALUE = Pattern.compile(
            "invalid value; expected|incompatible types for comparison|nil pointer evaluating|wrong type for value; expected|index of (untyped )?nil");
    private static final Pattern REMOTE =
            Pattern.compile("'(git@|git::|ssh:|[\\w.-]+\\.(com|org|io|dev|net)[:/])[^']*'|'[^']*(\\?ref=|\\.git[/?'])");
    private static final Pattern CONTROLLER_GEN = Pattern.compile("(?i)controller[-_]gen");
    private static final Pattern GENERATED = Pattern.compile("/config/(crd|rbac|webhook)$");
    /// Where the kustomization is not there, but what it is made of.
    private static final Pattern NO_KUSTOMIZATION = Pattern.compile("unable to find one of .* in directory '([^']+)'");

    /// An object of theirs may lie in a file of this name.
    private static final String OF_FLUX = "\"apiVersion\":\"kustomize.toolkit.fluxcd.io/";

    /// What the operator SDK writes before it builds.
    private static final Pattern OF_THE_SDK =
            Pattern.compile("clusterserviceversion\\.ya?ml$|(^|/)crds?/bases/|^bases/[\\w.-]+_\\w+\\.ya?ml$");

    private static final Pattern VERSION_TO_COME = Pattern.compile("version \"[a-zA-Z-]+\" is invalid");

    private static final Pattern MAKEFILE = Pattern.compile("(?i)(gnu)?makefile|.*\\.mk|justfile|taskfile\\.ya?ml");

    /// Helm cuts there, whatever follows on the line.
    private static final Pattern GLUED = Pattern.compile("---(?=[^-\\s])");

    private static final int MOST_VALUES = 50;
    private static final int HIGHEST = 16;
    private static final int LONGEST_MAKEFILE = 1024 * 1024;

    private final Helm.Options options;
    private final Path working;
    private final Set<Path> named;
    private final GivenValues given = new GivenValues();
    private final Set<Path> charts = new TreeSet<>();
    private final Set<Path> kustomizations = new TreeSet<>();

    /// @param named what was asked about: of a chart that was named itself, all files of values are tried
    /// @param working what a kustomization that is in no repository may read below
    public RenderedSources(Collection<Path> named, Collection<Path> files, Helm.Options options, Path working) {
        this.named =
                named.stream().map(each -> each.toAbsolutePath().normalize()).collect(Collectors.toSet());
        this.options = options;
        this.working = working;
        for (var file : files) {
            var folder = file.toAbsolutePath().normalize().getParent();
            if (folder != null && file.endsWith("Chart.yaml")) {
                charts.add(folder);
            } else if (SourceFiles.isKustomization(file.toString().replace('\\', '/'))) {
                kustomizations.add(file);
            }
        }
        charts.removeIf(each -> charts.stream().anyMatch(other -> !other.equals(each) && each.startsWith(other)));
    }

    /// What charts choose by. A server of today has less than the client of Helm knows, and can tell kinds as well; for
    /// an older one that is named, what Helm itself takes for granted.
    public static Capabilities capabilities(Target target) {
        var release = "v" + target.of(Component.KUBERNETES) + ".0";
        if (target.named().contains(Component.KUBERNETES)) {
            return Capabilities.of(release);
        }
        var served = Stream.concat(BuiltinKinds.ALL.stream(), Stream.of(CustomResourceDefinitions.KIND))
                .flatMap(kind -> Stream.of(kind.apiVersion(), kind.apiVersion() + "/" + kind.kind()))
                .toList();
        return Capabilities.ofServer(release, served);
    }

    /// Whether a file is a template of a chart that is rendered.
    public boolean covers(Path file) {
        var whole = file.toAbsolutePath().normalize();
        return charts.stream()
                .anyMatch(chart ->
                        whole.startsWith(chart.resolve("templates")) || whole.startsWith(chart.resolve("charts")));
    }

    public List<Supplier<Content>> inputs() {
        var inputs = new ArrayList<Supplier<Content>>();
        charts.forEach(chart -> inputs.add(() -> chart(shown(chart))));
        kustomizations.forEach(file -> inputs.add(() -> kustomization(file)));
        return inputs;
    }

    private boolean isMeant(Path chart) {
        return named.contains(chart.toAbsolutePath().normalize()) && !Files.exists(chart.resolve(".git"));
    }

    // As people named it, so that they find it again.
    private Path shown(Path folder) {
        var here = working.toAbsolutePath().normalize();
        return folder.startsWith(here) && !folder.equals(here) ? here.relativize(folder) : folder;
    }

    private Content chart(Path folder) {
        var texts = new ArrayList<SourceText>();
        var possible = new ArrayList<SourceText>();
        var findings = new ArrayList<Finding>();
        try {
            var files = ChartFiles.read(folder);
            var chart = Chart.of(files);
            if (chart.metadata().string("type").equals("library")) {
                return Content.Rendered.NOTHING;
            }
            int good = 0;
            for (var values : valueFiles(files)) {
                boolean isGiven = values.isEmpty() || isMeant(folder) || given.has(folder, values);
                good += render(folder, files, chart, values, isGiven ? texts : possible, findings) ? 1 : 0;
            }
            if (good > 0) {
                // Somebody has to give values, and somebody does.
                findings.replaceAll(each -> each.level() == Level.INFO ? each : each.at(Level.WARNING));
            }
        } catch (IOException | HelmError | JsonText.Malformed e) {
            findings.add(unrenderable(folder, "", String.valueOf(e.getMessage())));
        }
        return new Content.Rendered(texts, possible, findings);
    }

    private static List<String> valueFiles(Map<String, byte[]> files) {
        var found = new ArrayList<String>(List.of(""));
        files.keySet().stream()
                .filter(path -> path.startsWith("ci/")
                        ? path.matches("ci/[^/]*\\.ya?ml")
                        : VALUES.matcher(path).matches() && !path.contains("/") && !HelmTemplate.isNamedSo(path))
                .limit(MOST_VALUES)
                .forEach(found::add);
        return found;
    }

    private boolean render(
            Path folder,
            Map<String, byte[]> files,
            Chart chart,
            String valueFile,
            List<SourceText> texts,
            List<Finding> findings) {
        try {
            var values = new TreeMap<String, @Nullable Object>();
            if (!valueFile.isEmpty()) {
                ValueFiles.override(values, valueFile, files.getOrDefault(valueFile, new byte[0]));
            }
            // Many a chart is right only for a release of its own name, and is installed with no other.
            var name = RELEASE.matcher(chart.name()).matches() ? chart.name() : "release-name";
            var release = Release.install(name, "default");
            Helm.write(chart, values, options.of(release)).forEach((path, written) -> {
                if (!path.endsWith("NOTES.txt")) {
                    var inside = path.substring(path.indexOf('/') + 1);
                    var template = new String(files.getOrDefault(inside, new byte[0]), StandardCharsets.UTF_8);
                    texts.add(rendered(folder.resolve(inside).toString(), written, template, valueFile));
                }
            });
            return true;
        } catch (HelmError e) {
            findings.add(unrenderable(folder, valueFile, e.text()));
            return false;
        }
    }

    private static SourceText rendered(String file, Written written, String template, String values) {
        var lines = written.text().split("\n", -1);
        var text = new ArrayList<String>();
        var places = new ArrayList<Integer>();
        for (int i = 0; i < lines.length; i++) {
            int place = i < written.lines().size() ? written.lines().get(i) : 1;
            if (GLUED.matcher(lines[i]).lookingAt()) {
                text.add("---");
                places.add(place);
                lines[i] = lines[i].substring(3);
            }
            text.add(lines[i]);
            places.add(place);
        }
        return SourceText.rendered(file, String.join("\n", text), places, template, values);
    }

    private static Finding unrenderable(Path folder, String valueFile, String message) {
        var matcher = TEMPLATE_LINE.matcher(message);
        var file = folder.resolve("Chart.yaml");
        int line = 1;
        while (matcher.find()) {
            file = folder.resolve(matcher.group(1).substring(matcher.group(1).indexOf('/') + 1));
            line = Integer.parseInt(matcher.group(2));
        }
        var finding = Finding.of(
                Rule.UNRENDERABLE,
                new SourcePlace(file.toString(), line, 1, 1, excerpt(file, line), Set.of()),
                (valueFile.isEmpty() ? "" : "with " + valueFile + ": ") + message,
                "'towtank render' shows what comes out; files of values beside the chart are tried as well.");
        // Most repositories do not hold the charts that theirs depend on.
        boolean isLeftOut = message.contains("missing in charts/ directory");
        // A chart may ask whoever installs it for values.
        boolean isAsked = message.contains("execution error at ")
                || NO_VALUE.matcher(message).find()
                || message.contains(": executing ")
                || (valueFile.isEmpty() && message.startsWith("values don't meet the spec"));
        // Only those that are there for tests are said to be all that is given.
        boolean isOneOfSeveral = !valueFile.isEmpty() && !valueFile.startsWith("ci/");
        // What we do not fetch is no mistake of theirs.
        boolean isElsewhere = message.contains("which is outside of the chart");
        return isLeftOut || isAsked || isOneOfSeveral || isElsewhere ? finding.at(Level.INFO) : finding;
    }

    private static String excerpt(Path file, int line) {
        try {
            return Files.isRegularFile(file)
                    ? Files.readString(file).lines().skip(line - 1L).findFirst().orElse("")
                    : "";
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    /// Whether a file that is missing is made before: git is told to leave it out, or Helm writes it.
    private static boolean isGenerated(Path folder, String message) {
        var empty = NO_KUSTOMIZATION.matcher(message);
        if (empty.find()) {
            var there = Mentions.root(folder).resolve(empty.group(1)).resolve("kustomization.yaml");
            return LeftOut.byGit(there)
                    || Stream.iterate(folder, each -> each != null, Path::getParent)
                            .map(each -> each.resolve(empty.group(1)))
                            .anyMatch(RenderedSources::hasATemplate);
        }
        var matcher = MISSING.matcher(message);
        if (!matcher.find()) {
            return false;
        }
        // What is secret is often kept elsewhere, and put there by whoever builds.
        if (SECRET.matcher(matcher.group(1)).find() || isMadeByAScript(missing(folder, message, matcher.group(1)))) {
            return true;
        }
        return Files.isRegularFile(folder.resolve("Chart.yaml"))
                || isFromAbove(folder, matcher.group(1))
                || LeftOut.byGit(folder.resolve(matcher.group(1)).normalize())
                || OF_THE_SDK.matcher(matcher.group(1)).find()
                || isMade(folder, Path.of(matcher.group(1)).getFileName())
                || Mentions.ofWriting(
                        folder, String.valueOf(Path.of(matcher.group(1)).getFileName()));
    }

    /// What a message says to be missing: it begins with the folder that the path starts from.
    private static Path missing(Path folder, String message, String path) {
        int end = message.indexOf(": ");
        var from = Mentions.root(folder).resolve(message.substring(0, Math.max(end, 0)));
        return (Files.isDirectory(from) ? from : folder).resolve(path).normalize();
    }

    /// Whether git leaves a file out, or a script of the repository speaks of it, or of the folder above that is
    /// missing
    /// with it.
    private static boolean isMadeByAScript(Path missing) {
        var first = Stream.iterate(missing, each -> each != null, Path::getParent)
                .takeWhile(each -> !Files.exists(each))
                .reduce(missing, (_, higher) -> higher);
        var name = String.valueOf(first.getFileName());
        var folder = first.getParent();
        if (folder == null || first.getNameCount() < 2) {
            return false;
        }
        return LeftOut.byGit(missing) || Mentions.ofMaking(folder, name);
    }

    /// Whether the path is right from a folder above, to which a script copies the kustomization.
    private static boolean isFromAbove(Path folder, String path) {
        return Stream.iterate(folder.getParent(), each -> each != null, Path::getParent)
                .limit(HIGHEST)
                .anyMatch(each -> Path.of(path).normalize().getNameCount() > 1 && Files.exists(each.resolve(path)));
    }

    private static boolean hasATemplate(Path folder) {
        return Stream.of(".in", ".tmpl", ".tpl", ".template", ".j2")
                .anyMatch(end -> Files.exists(folder.resolve("kustomization.yaml" + end)));
    }

    /// Whether a makefile above speaks of a file of that name.
    private static boolean isMade(Path folder, @Nullable Path name) {
        boolean isOfControllerGen =
                GENERATED.matcher(folder.toString().replace('\\', '/')).find();
        var each = folder;
        for (int i = 0; i < HIGHEST && each != null && name != null; i++) {
            try (var files = Files.list(each)) {
                for (var file : files.filter(RenderedSources::isMakefile).toList()) {
                    var text = Files.readString(file);
                    if (text.contains(name.toString())
                            || (isOfControllerGen
                                    && CONTROLLER_GEN.matcher(text).find())) {
                        return true;
                    }
                }
            } catch (IOException | UncheckedIOException e) {
                return false;
            }
            each = Files.exists(each.resolve(".git")) ? null : each.getParent();
        }
        return false;
    }

    private static boolean isMakefile(Path file) {
        try {
            return MAKEFILE.matcher(String.valueOf(file.getFileName())).matches()
                    && Files.isRegularFile(file)
                    && Files.size(file) <= LONGEST_MAKEFILE;
        } catch (IOException e) {
            return false;
        }
    }

    /// Whether a program writes the kustomization that is meant out of this one.
    private static boolean isATemplate(Path file) {
        if (TEMPLATES.matcher(file.toString().replace('\\', '/')).find()) {
            return true;
        }
        try {
            return Files.readString(file).matches("(?s).*(\\{%|\\{\\{).*");
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static boolean isMissing(String message) {
        return MISSING.matcher(message).find() || message.startsWith("unable to find one of 'kustomization.yaml'");
    }

    private static boolean hasNoSource(Path file) {
        try {
            return YamlText.parse(Files.readAllBytes(file), _ -> {}) instanceof Json.Obj fields
                    && SOURCES.stream().noneMatch(fields::has);
        } catch (IOException | JsonText.Malformed e) {
            return false;
        }
    }

    private Content kustomization(Path file) {
        var folder = file.toAbsolutePath().getParent();
        try {
            var fields = YamlText.parse(Files.readAllBytes(file), _ -> {});
            var said = fields.display();
            if (fields instanceof Json.Null) {
                return Content.Rendered.NOTHING; // switched off: all of it is a comment
            }
            if (folder == null || said.contains("\"kind\":\"Component\"") || said.contains(OF_FLUX)) {
                return Content.Rendered.NOTHING;
            }
            var tree = DiskTree.of(DiskTree.root(folder, working));
            var text = new StringBuilder();
            for (var object : Kustomization.build(tree, tree.path(folder))) {
                var written = YamlText.write(object);
                // What a chart is made of is seen by no server before Helm has filled it in.
                if (!HelmTemplate.isOne(written, false)) {
                    text.append("---\n").append(written);
                }
            }
            var lines = Collections.nCopies(
                    (int) text.chars().filter(c -> c == '\n').count() + 1, 1);
            return new Content.Rendered(
                    List.of(SourceText.rendered(file.toString(), text.toString(), lines, Files.readString(file), "")),
                    List.of(),
                    List.of());
        } catch (IOException | UncheckedIOException | KustomizeError | JsonText.Malformed e) {
            var message = String.valueOf(e.getMessage());
            var finding = Finding.of(
                    Rule.UNRENDERABLE,
                    new SourcePlace(file.toString(), 1, 1, 1, "", Set.of()),
                    message,
                    "'towtank render' shows what comes out, and fetches what is elsewhere.");
            // What we cannot do is no mistake of theirs.
            boolean isOurs = message.contains("nothing is fetched here")
                    || message.contains("'https://")
                    || REMOTE.matcher(message).find()
                    || message.endsWith("is not supported")
                    || message.contains(" is not supported: ");
            // With an option of kustomize, values of a tool around it, or a file that is made first, it may work.
            boolean isElsewhere = message.startsWith("security; ")
                    || message.contains("leads out of the repository")
                    || message.contains(" var '")
                    // What git keeps encrypted is told of where it lies.
                    || message.contains("special characters are not allowed")
                    || message.contains("GITCRYPT")
                    // What a release is called is written when there is one.
                    || VERSION_TO_COME.matcher(message).find()
                    // Older releases put one into kinds that they do not know.
                    || message.contains("remove nonexistent key: namespace")
                    // A key without a value gets it from the environment of whoever builds.
                    || message.endsWith(": expected key=value")
                    // Flux adds components, and fills in names.
                    || (message.contains("no resource matches") && (hasNoSource(file) || message.contains("${")))
                    // Flux writes it when it is installed.
                    || message.contains("flux-system'")
                    || (folder != null && isGenerated(folder, message));
            if (isOurs || isElsewhere) {
                return Content.Rendered.wrong(finding.at(Level.INFO));
            }
            if (isATemplate(file)) {
                return Content.Rendered.wrong(finding.at(Level.INFO));
            }
            // A script may make the file first.
            return Content.Rendered.wrong(isMissing(message) ? finding.at(Level.WARNING) : finding);
        }
    }
}
