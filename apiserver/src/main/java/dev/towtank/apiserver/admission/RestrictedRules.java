package dev.towtank.apiserver.admission;

import static dev.towtank.apiserver.admission.CheckedPod.CONTEXT;
import static dev.towtank.apiserver.admission.CheckedPod.containers;
import static dev.towtank.apiserver.admission.CheckedPod.one;
import static dev.towtank.apiserver.admission.CheckedPod.quoted;

import dev.towtank.apiserver.admission.PodSecurityRules.Violation;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/// What the restricted level asks beyond the baseline, in Kubernetes' order.
///
/// @param minor the version of Kubernetes whose rules these are
record RestrictedRules(CheckedPod pod, int minor) {

    private static final Set<String> VOLUMES = Set.of(
            "configMap",
            "csi",
            "downwardAPI",
            "emptyDir",
            "ephemeral",
            "image",
            "persistentVolumeClaim",
            "projected",
            "secret");

    void find(List<Violation> found) {
        boolean windows = minor >= 25 && pod.isWindows();
        boolean ownUsers = minor >= 35 && pod.hasOwnUsers();
        if (minor >= 8 && !windows) {
            privilegeEscalation(found);
        }
        if (minor >= 22 && !windows) {
            capabilities(found);
        }
        if (minor >= 35) {
            BaselineRules.procMount(pod, found);
        }
        volumes(found);
        if (!ownUsers) {
            runAsNonRoot(found);
        }
        if (minor >= 23 && !ownUsers) {
            runAsUser(found);
        }
        if (minor >= 19 && !windows) {
            seccomp(found);
        }
    }

    private void privilegeEscalation(List<Violation> found) {
        var names =
                pod.names(each -> !(each.at(CONTEXT, "allowPrivilegeEscalation") instanceof Json.Bool(var set)) || set);
        if (!names.isEmpty()) {
            found.add(new Violation(
                    "allowPrivilegeEscalation != false",
                    containers(names) + " must set securityContext.allowPrivilegeEscalation=false"));
        }
    }

    private void capabilities(List<Violation> found) {
        var details = new ArrayList<String>();
        var keeping = pod.names(
                each -> !each.array(CONTEXT, "capabilities", "drop").strings().contains("ALL"));
        if (!keeping.isEmpty()) {
            details.add(containers(keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
        }
        Function<Json.Obj, List<String>> forbidden = each -> BaselineRules.added(each).stream()
                .filter(name -> !name.equals("NET_BIND_SERVICE"))
                .toList();
        var adding = pod.names(each -> !forbidden.apply(each).isEmpty());
        if (!adding.isEmpty()) {
            details.add(BaselineRules.mustNotAdd(adding, pod.values(forbidden)));
        }
        if (!details.isEmpty()) {
            found.add(new Violation("unrestricted capabilities", String.join("; ", details)));
        }
    }

    private void volumes(List<Violation> found) {
        var names = new ArrayList<String>();
        var types = new TreeSet<String>();
        for (var volume : pod.spec().objects("volumes")) {
            var type = volume.keys().stream()
                    .filter(field -> !field.equals("name"))
                    .findFirst()
                    .orElse("unknown");
            if (!VOLUMES.contains(type)) {
                names.add(volume.string("name"));
                types.add(type);
            }
        }
        if (!names.isEmpty()) {
            found.add(new Violation(
                    "restricted volume types",
                    one("volume", names) + " " + quoted(names) + (names.size() == 1 ? " uses " : " use ")
                            + one("restricted volume type", types) + " " + quoted(types)));
        }
    }

    private void runAsNonRoot(List<Violation> found) {
        Predicate<Json.Obj> bad = each -> each.at(CONTEXT, "runAsNonRoot") instanceof Json.Bool(var set) && !set;
        var setters = pod.setters(bad);
        var unsaid = pod.spec().flag(CONTEXT, "runAsNonRoot")
                ? List.<String>of()
                : pod.names(each -> !(each.at(CONTEXT, "runAsNonRoot") instanceof Json.Bool));
        if (!setters.isEmpty()) {
            found.add(new Violation(
                    "runAsNonRoot != true", setters + " must not set securityContext.runAsNonRoot=false"));
        } else if (!unsaid.isEmpty()) {
            found.add(new Violation(
                    "runAsNonRoot != true",
                    "pod or " + containers(unsaid) + " must set securityContext.runAsNonRoot=true"));
        }
    }

    private void runAsUser(List<Violation> found) {
        var setters = pod.setters(each -> each.at(CONTEXT, "runAsUser") instanceof Json.Int(var user) && user == 0);
        if (!setters.isEmpty()) {
            found.add(new Violation("runAsUser=0", setters + " must not set runAsUser=0"));
        }
    }

    private void seccomp(List<Violation> found) {
        var wrong = BaselineRules.wrongSeccomp(pod);
        var unsaid = BaselineRules.hasSeccomp(pod.spec())
                ? List.<String>of()
                : pod.names(each -> !BaselineRules.hasSeccomp(each));
        if (!wrong.isEmpty()) {
            found.add(new Violation("seccompProfile", wrong));
        } else if (!unsaid.isEmpty()) {
            found.add(new Violation(
                    "seccompProfile",
                    "pod or " + containers(unsaid)
                            + " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                            + " \"Localhost\""));
        }
    }
}
