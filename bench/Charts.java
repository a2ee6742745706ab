import dev.towtank.controllers.rendering.source.ChartFiles;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.helm.Capabilities;
import dev.towtank.model.helm.Chart;
import dev.towtank.model.helm.Helm;
import dev.towtank.model.helm.HelmError;
import dev.towtank.model.helm.Release;
import dev.towtank.model.helm.Rendered;
import dev.towtank.model.helm.ValueFiles;
import dev.towtank.model.lua.Libraries;
import dev.towtank.model.lua.Limits;
import dev.towtank.model.lua.LuaScript;
import dev.towtank.model.template.Bounds;
import dev.towtank.model.template.functions.Ambient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/// Charts rendered by us and by Helm's own code (helm-java), in one process: how long they take, and whether the same
/// comes
/// out. Ours reads the chart from the disk each time, as Helm does.
final class Charts {
    private static final int WARM = 300;
    private static final int ROUNDS = 41;
    private static final int MANY = 1000;

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            compare(Path.of(arguments[0]));
            return;
        }
        var folder = Files.createTempDirectory("charts");
        var small = chart(folder.resolve("small"), 1);
        var large = chart(folder.resolve("large"), 100);
        System.out.println("milliseconds, median of " + ROUNDS + "         ours     Helm");
        measure("first render of a small chart", 0, 1, () -> ours(small), () -> helms(small));
        measure("a small chart", 10 * WARM, ROUNDS, () -> ours(small), () -> helms(small));
        measure("a chart of 100 objects", WARM, ROUNDS, () -> ours(large), () -> helms(large));
        System.out.printf(
                "%-40s %8.0f %8.0f%n",
                MANY + " renders by two threads", many(() -> ours(small)), many(() -> helms(small)));
        System.out.printf("%-40s %8.4f%n", "a health check in Lua", median(20_000, 2001, health()));
        System.exit(0);
    }

    /// A script of the usual kind: a loop over conditions.
    private static Work health() {
        var script = LuaScript.compile("health", """
                local hs = {status = "Progressing", message = "waiting"}
                if obj.status ~= nil and obj.status.conditions ~= nil then
                  for i, condition in ipairs(obj.status.conditions) do
                    if condition.type == "Ready" and condition.status == "False" then
                      hs.status = "Degraded"
                      hs.message = condition.message
                      return hs
                    end
                    if condition.type == "Ready" and condition.status == "True" then
                      hs.status = "Healthy"
                      hs.message = condition.message
                      return hs
                    end
                  end
                end
                return hs
                """);
        var object = YamlText.parse("""
                {kind: Certificate, metadata: {name: a, generation: 2}, spec: {dnsNames: [a, b]}, status: {observedGeneration: 2,
                conditions: [{type: Issuing, status: 'False'}, {type: Ready, status: 'True', message: 'up to date'}]}}""");
        return () -> script.call(Map.of("obj", object), Libraries.OPEN, Limits.DEFAULT, Instant.EPOCH);
    }

    private interface Work {
        Object run() throws Exception;
    }

    private static void measure(String what, int warm, int rounds, Work ours, Work helms) throws Exception {
        System.out.printf("%-40s %8.2f %8.2f%n", what, median(warm, rounds, ours), median(warm, rounds, helms));
    }

    private static double median(int warm, int rounds, Work work) throws Exception {
        for (int i = 0; i < warm; i++) {
            work.run();
        }
        var times = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            long start = System.nanoTime();
            work.run();
            times[i] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(times);
        return times[rounds / 2];
    }

    private static double many(Work work) throws Exception {
        long start = System.nanoTime();
        try (var pool = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < MANY; i++) {
                pool.submit(work::run);
            }
        }
        return (System.nanoTime() - start) / 1e6;
    }

    private static List<Json.Obj> ours(Path chart) throws Exception {
        return ours(chart, null);
    }

    private static List<Json.Obj> ours(Path chart, Path file) throws Exception {
        var values = new TreeMap<String, Object>();
        if (file != null) {
            ValueFiles.override(values, file.toString(), Files.readAllBytes(file));
        }
        var rendered = Helm.render(
                Chart.of(ChartFiles.read(chart)),
                values,
                new Helm.Options(
                        Release.install("rel", "ns"),
                        Capabilities.of("v1.35.0"),
                        new Ambient(Instant.now(), ZoneOffset.UTC, new Random(1)),
                        Bounds.DEFAULT));
        return rendered.objects().stream().map(Rendered.Entry::object).toList();
    }

    private static String helms(Path chart) {
        return helms(chart, null);
    }

    private static String helms(Path chart, Path values) {
        var command = new com.marcnuri.helm.Helm(chart)
                .template()
                .withName("rel")
                .withNamespace("ns")
                .withKubeVersion("v1.35.0")
                .skipCrds();
        var text = (values == null ? command : command.withValuesFile(values)).call();
        return text == null ? "" : text;
    }

    /// A Deployment of the usual kind, with labels by a template of its own, as often as wanted.
    private static Path chart(Path folder, int objects) throws Exception {
        Files.createDirectories(folder.resolve("templates"));
        Files.writeString(folder.resolve("Chart.yaml"), "apiVersion: v2\nname: web\nversion: 1.0.0\nappVersion: '2'\n");
        Files.writeString(folder.resolve("values.yaml"), """
                image: {name: nginx, tag: ''}
                resources: {limits: {cpu: 100m, memory: 128Mi}, requests: {cpu: 10m}}
                env: {A: a, B: b, C: c}
                annotations: {}
                """);
        Files.writeString(folder.resolve("templates/_names.tpl"), """
                {{- define "web.name" -}}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{- end }}
                {{- define "web.labels" -}}
                app.kubernetes.io/name: {{ include "web.name" . }}
                app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
                helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
                {{- end }}
                """);
        for (int i = 0; i < objects; i++) {
            Files.writeString(folder.resolve("templates/app-" + i + ".yaml"), """
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata:
                      name: {{ include "web.name" . }}-%d
                      labels:
                        {{- include "web.labels" . | nindent 4 }}
                      {{- with .Values.annotations }}
                      annotations:
                        {{- toYaml . | nindent 4 }}
                      {{- end }}
                    spec:
                      selector: {matchLabels: {app: {{ .Release.Name }}}}
                      template:
                        metadata:
                          labels: {app: {{ .Release.Name }}}
                        spec:
                          containers:
                          - name: web
                            image: "{{ .Values.image.name }}:{{ default .Chart.AppVersion .Values.image.tag }}"
                            env:
                            {{- range $name, $value := .Values.env }}
                            - {name: {{ $name }}, value: {{ $value | quote }}}
                            {{- end }}
                            resources:
                              {{- toYaml .Values.resources | nindent 10 }}
                    """.formatted(i));
        }
        return folder;
    }

    /// Every chart that is not part of another, with its own values and with the first files of its folder `ci`:
    /// objects in their order, or the words of the error. What Helm itself gives differently each time (keys,
    /// passwords, times) is left alone.
    private static void compare(Path folder) throws Exception {
        int charts = 0;
        int equal = 0;
        var renders = new TreeMap<String, Integer>();
        for (var chart : roots(folder)) {
            var copy = prepared(chart);
            var results = new ArrayList<String>();
            for (var values : valueFiles(copy)) {
                results.add(result(copy, values));
            }
            if (results.contains("dependency")) {
                System.out.println("missing  " + folder.relativize(chart));
                renders.merge("charts without a dependency", 1, Integer::sum);
                continue;
            }
            results.forEach(each -> renders.merge(each.lines().findFirst().orElse(""), 1, Integer::sum));
            boolean same = results.stream().noneMatch(each -> each.startsWith("differs"));
            charts++;
            equal += same ? 1 : 0;
            System.out.println((same ? "equal    " : "differs  ") + folder.relativize(chart));
            results.stream().filter(each -> each.startsWith("differs")).forEach(System.out::println);
        }
        System.out.println(equal + " of " + charts + " charts; renders: " + renders);
        System.exit(0);
    }

    private static List<Path> roots(Path folder) throws Exception {
        try (var paths = Files.walk(folder)) {
            var all = paths.filter(path -> path.endsWith("Chart.yaml"))
                    .map(Path::getParent)
                    .sorted()
                    .toList();
            return all.stream()
                    .filter(each -> all.stream().noneMatch(other -> !other.equals(each) && each.startsWith(other)))
                    .toList();
        }
    }

    /// The library drops hooks and asks a cluster for `lookup`: the ones get another name, the other finds nothing.
    private static Path prepared(Path chart) throws Exception {
        var copy = Files.createTempDirectory("chart").resolve(chart.getFileName());
        try (var paths = Files.walk(chart)) {
            for (var path : paths.toList()) {
                var place = copy.resolve(chart.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(place);
                } else if (Files.isRegularFile(path) && path.toString().matches(".*/templates/.*\\.(ya?ml|tpl|txt)")) {
                    var text = Files.readString(path, StandardCharsets.ISO_8859_1)
                            .replace("helm.sh/hook", "renamed.example/hook")
                            .replaceAll("\\blookup (?=[\"(.$])", "pick dict ");
                    Files.writeString(place, text, StandardCharsets.ISO_8859_1);
                } else if (Files.isRegularFile(path)) {
                    Files.copy(path, place);
                }
            }
        }
        return copy;
    }

    /// Null for the chart's own values alone.
    private static List<Path> valueFiles(Path chart) throws Exception {
        var files = new ArrayList<Path>();
        files.add(null);
        if (Files.isDirectory(chart.resolve("ci"))) {
            try (var paths = Files.list(chart.resolve("ci"))) {
                paths.filter(path -> path.toString().matches(".*values.*\\.ya?ml"))
                        .sorted()
                        .limit(6)
                        .forEach(files::add);
            }
        }
        return files;
    }

    private static String result(Path chart, Path values) throws Exception {
        var ours = said(() -> ours(chart, values));
        var helms = said(() -> parsed(helms(chart, values)));
        if (helms.contains("found in Chart.yaml, but missing in charts/ directory")) {
            return "dependency";
        }
        if (ours.equals(helms)) {
            return helms.startsWith("[") ? "equal objects" : "equal words";
        }
        if (ours.startsWith("[") && helms.startsWith("[")) {
            for (int i = 0; i < 2; i++) {
                var again = new Json.Arr(parsed(helms(chart, values)));
                if (equal(JsonText.parse(ours), JsonText.parse(helms), again)) {
                    return "equal objects but for chance";
                }
                Thread.sleep(1100); // some write the time down, in seconds
            }
        }
        return "differs\n    " + shortened(values + ": " + ours) + "\n    " + shortened(helms);
    }

    /// Where Helm gives two different texts we may give a third.
    private static boolean equal(Json ours, Json first, Json second) {
        if (first.equals(second)) {
            return ours.equals(first);
        }
        if (first instanceof Json.Obj a && second instanceof Json.Obj b && ours instanceof Json.Obj c) {
            return a.keys().equals(b.keys())
                    && a.keys().equals(c.keys())
                    && a.keys().stream().allMatch(key -> equal(c.get(key), a.get(key), b.get(key)));
        }
        if (first instanceof Json.Arr a && second instanceof Json.Arr b && ours instanceof Json.Arr c) {
            return a.size() == b.size()
                    && a.size() == c.size()
                    && IntStream.range(0, a.size()).allMatch(i -> equal(c.get(i), a.get(i), b.get(i)));
        }
        return first.getClass() == ours.getClass();
    }

    private static String shortened(String text) {
        return text.length() < 400 ? text : text.substring(0, 400) + "…";
    }

    private static String said(Work work) throws Exception {
        try {
            return String.valueOf(work.run());
        } catch (HelmError | IllegalStateException e) {
            return String.valueOf(e.getMessage())
                    .replace("Use --debug flag to render out invalid YAML", "")
                    .strip();
        } catch (JsonText.Malformed e) {
            return "cannot be parsed: " + e.getMessage();
        }
    }

    private static List<Json> parsed(String text) {
        var objects = new ArrayList<Json>();
        for (var document : text.split("(?m)^---\\s*$", -1)) {
            if (YamlText.parse(document.getBytes(StandardCharsets.UTF_8), _ -> {}) instanceof Json.Obj object) {
                objects.add(object);
            }
        }
        return objects;
    }
}
