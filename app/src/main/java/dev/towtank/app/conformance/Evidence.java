package dev.towtank.app.conformance;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What lies around after an example that did not succeed, and what that says: whether it is our mistake, or needs what
/// this machine does not have. Only what could not be our mistake excuses an example: a program, an image or a host
/// that
/// is named as the example itself names it, never what is left of a variable, what we place in a pod, or what we serve.
///
/// @param text of the example, as somebody wrote it
/// @param run the run that was to succeed
/// @param runs all TaskRuns of the namespace
/// @param pods all its pods
/// @param logs what containers said that ended badly
/// @param isInstalled whether this machine has a program, by its name or path
record Evidence(
        String text,
        Json.Obj run,
        List<Json.Obj> runs,
        List<Json.Obj> pods,
        List<Log> logs,
        Predicate<String> isInstalled) {

    record Log(String container, String text) {}

    private static final Set<String> NO_IMAGE = Set.of("ErrImagePull", "ImagePullBackOff", "TaskRunImagePullFailed");
    /// What Tekton once had.
    private static final Set<String> REMOVED = Set.of("ClusterTask", "PipelineResource", "Condition", "Run");
    private static final Pattern NETWORK = Pattern.compile(
            "(?i)could not resolve host|no such host|unknown host|name resolution|name or service not known"
                    + "|network is unreachable|no route to host|cannot reach|Could not resolve proxy");
    private static final Pattern NO_PROGRAM =
            Pattern.compile("(?m)^.*?([A-Za-z0-9_./-]+): (?:command )?not found\\s*$");
    private static final Pattern OURS =
            Pattern.compile("\\$\\(|localhost|127\\.0\\.0\\.1|\\[::1]|\\.svc\\b|\\.cluster\\.local");
    /// As Tekton writes them: a shell's own `$(program)` has no dot after a word of these.
    private static final Pattern VARIABLE = Pattern.compile(
            "\\$\\((?:params|inputs|context|tasks|finally|workspaces|results|steps?|artifacts|credentials)[.\\[][^)]*\\)");
    private static final String PLACED_BY_US = "/tekton/";
    private static final Pattern OTHER_NODE = Pattern.compile("node affinity|selector|taint|available nodes");
    private static final Pattern GATE = Pattern.compile("feature (?:gate|flag)|\"enable-[a-z-]+\"");

    Evidence {
        runs = List.copyOf(runs);
        pods = List.copyOf(pods);
        logs = List.copyOf(logs);
    }

    /// What a refusal to create one of the objects says.
    ///
    /// @param setsFlags whether the server has the flags that we gave it: then they are no excuse
    static Verdict ofRefusal(String message, boolean setsFlags) {
        return !setsFlags && GATE.matcher(message).find()
                ? new Verdict.Skipped("needs other feature flags: " + message)
                : new Verdict.Failed(message);
    }

    /// What it says that the server does not have a kind: of Kubernetes and of Tekton it has those that they have.
    static Verdict ofUnknownKind(String apiVersion, String kind) {
        var why = "needs the kind " + kind + " of " + apiVersion + ", which is not served";
        int slash = apiVersion.indexOf('/');
        var group = slash < 0 ? "" : apiVersion.substring(0, slash);
        boolean isOurs = !group.contains(".") || group.endsWith(".k8s.io") || group.endsWith("tekton.dev");
        return isOurs && !REMOVED.contains(kind) ? new Verdict.Failed(why) : new Verdict.Skipped(why);
    }

    Evidence and(Log log) {
        return new Evidence(
                text,
                run,
                runs,
                pods,
                Stream.concat(logs.stream(), Stream.of(log)).toList(),
                isInstalled);
    }

    /// @param isInTime whether the run ended at all
    Verdict verdict(boolean isInTime) {
        return verdict(isInTime ? told(run) : "not over in time: " + told(run));
    }

    /// @param otherwise what went wrong, where nothing is missing
    Verdict verdict(String otherwise) {
        return missing().<Verdict>map(Verdict.Skipped::new).orElseGet(() -> new Verdict.Failed(otherwise));
    }

    private Optional<String> missing() {
        return Stream.of(image(), node(), network(), program())
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> image() {
        var waiting = pods.stream()
                .flatMap(pod -> Stream.of("containerStatuses", "initContainerStatuses")
                        .flatMap(statuses -> pod.objects("status", statuses).stream()))
                .filter(status -> NO_IMAGE.contains(status.string("state", "waiting", "reason")))
                .map(status -> "image " + status.string("image"));
        var told = allRuns()
                .filter(each -> NO_IMAGE.contains(condition(each).string("reason")))
                .map(Evidence::told);
        return Stream.concat(waiting, told)
                .filter(what -> !OURS.matcher(what).find())
                .findFirst()
                .map(what -> "needs an image that is not here: " + what);
    }

    private Optional<String> node() {
        return pods.stream()
                .flatMap(pod -> pod.objects("status", "conditions").stream())
                .filter(condition -> condition.string("reason").equals("Unschedulable"))
                .map(condition -> condition.string("message"))
                .filter(message -> OTHER_NODE.matcher(message).find())
                .map(message -> "needs another node: " + message)
                .findFirst();
    }

    private Optional<String> network() {
        return Stream.concat(
                        allRuns().map(Evidence::told),
                        logs.stream().flatMap(log -> log.text().lines()))
                .filter(line -> !OURS.matcher(line).find())
                .flatMap(line -> NETWORK.matcher(line).results().map(found -> line.substring(found.start())))
                .map(line -> "needs the network: " + line.strip())
                .findFirst();
    }

    private Optional<String> program() {
        return logs.stream()
                .flatMap(log -> NO_PROGRAM
                        .matcher(log.text())
                        .results()
                        .map(found -> found.group(1))
                        .filter(this::isNamed)
                        .filter(isInstalled.negate())
                        .map(program -> "needs a program that is not here: " + program + ", in the container "
                                + log.container()))
                .findFirst();
    }

    /// Whether the example itself calls it, and not a value of ours or a variable that we should have replaced.
    private boolean isNamed(String program) {
        var words = Pattern.compile("(?<![A-Za-z0-9_./-])" + Pattern.quote(program) + "(?![A-Za-z0-9_./\\[-])");
        return !program.startsWith(PLACED_BY_US)
                && words.matcher(VARIABLE.matcher(text).replaceAll("")).find();
    }

    private Stream<Json.Obj> allRuns() {
        var all = new ArrayList<Json.Obj>();
        all.add(run);
        all.addAll(runs);
        return all.stream();
    }

    static Json.Obj condition(Json.Obj run) {
        return run.objects("status", "conditions").stream()
                .filter(condition -> condition.string("type").equals("Succeeded"))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
    }

    private static String told(Json.Obj run) {
        var condition = condition(run);
        return condition.isEmpty()
                ? "it has no condition"
                : condition.string("reason") + ": " + condition.string("message");
    }
}
