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
/// this machine does not have.
///
/// @param run the run that was to succeed
/// @param runs all TaskRuns of the namespace
/// @param pods all its pods
/// @param logs what containers said that ended badly
/// @param isInstalled whether this machine has a program, by its name or path
record Evidence(Json.Obj run, List<Json.Obj> runs, List<Json.Obj> pods, List<Log> logs, Predicate<String> isInstalled) {

    record Log(String container, String text) {}

    private static final Set<String> NO_IMAGE = Set.of("ErrImagePull", "ImagePullBackOff", "TaskRunImagePullFailed");
    private static final Pattern NETWORK = Pattern.compile(
            "(?i)could not resolve host|no such host|unknown host|name resolution|name or service not known"
                    + "|network is unreachable|no route to host|cannot reach|Could not resolve proxy");
    private static final Pattern NO_PROGRAM =
            Pattern.compile("(?m)^.*?([A-Za-z0-9_./-]+): (?:command )?not found\\s*$");
    private static final Pattern GATE = Pattern.compile("feature (?:gate|flag)|\"enable-[a-z-]+\"");

    Evidence {
        runs = List.copyOf(runs);
        pods = List.copyOf(pods);
        logs = List.copyOf(logs);
    }

    /// What a refusal to create one of the objects says.
    static Verdict ofRefusal(String message) {
        return GATE.matcher(message).find()
                ? new Verdict.Skipped("needs other feature flags: " + message)
                : new Verdict.Failed(message);
    }

    /// @param isInTime whether the run ended at all
    Verdict verdict(boolean isInTime) {
        return missing()
                .<Verdict>map(Verdict.Skipped::new)
                .orElseGet(() -> new Verdict.Failed(isInTime ? told(run) : "not over in time: " + told(run)));
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
        return Stream.concat(waiting, told).findFirst().map(what -> "needs an image that is not here: " + what);
    }

    private Optional<String> node() {
        return pods.stream()
                .flatMap(pod -> pod.objects("status", "conditions").stream())
                .filter(condition -> condition.string("reason").equals("Unschedulable"))
                .map(condition -> "needs another node: " + condition.string("message"))
                .findFirst();
    }

    private Optional<String> network() {
        return Stream.concat(
                        allRuns().map(Evidence::told),
                        logs.stream().flatMap(log -> log.text().lines()))
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
                        .filter(isInstalled.negate())
                        .map(program -> "needs a program that is not here: " + program + ", in the container "
                                + log.container()))
                .findFirst();
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
