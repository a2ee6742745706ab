package dev.towtank.apiserver.admission;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the Pod Security Standards find wrong with a pod's spec. Pure; the words are those of Kubernetes.
final class PodSecurityRules {

    private static final String CONTEXT = "securityContext";
    private static final Set<String> BASELINE_CAPABILITIES = Set.of(
            "AUDIT_WRITE",
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "MKNOD",
            "NET_BIND_SERVICE",
            "SETFCAP",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_CHROOT");
    private static final Set<String> SAFE_SYSCTLS = Set.of(
            "kernel.shm_rmid_forced",
            "net.ipv4.ip_local_port_range",
            "net.ipv4.ip_local_reserved_ports",
            "net.ipv4.ip_unprivileged_port_start",
            "net.ipv4.ping_group_range",
            "net.ipv4.tcp_fin_timeout",
            "net.ipv4.tcp_keepalive_intvl",
            "net.ipv4.tcp_keepalive_probes",
            "net.ipv4.tcp_keepalive_time",
            "net.ipv4.tcp_rmem",
            "net.ipv4.tcp_syncookies",
            "net.ipv4.tcp_wmem");
    private static final Set<String> SELINUX_TYPES =
            Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");
    private static final Set<String> RESTRICTED_VOLUMES = Set.of(
            "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret");

    private final Json.Obj spec;
    private final List<Json.Obj> containers;

    private PodSecurityRules(Json.Obj spec) {
        this.spec = spec;
        this.containers = Stream.of("initContainers", "containers", "ephemeralContainers")
                .flatMap(list -> spec.objects(list).stream())
                .toList();
    }

    /// Each rule that is broken, with what breaks it: `privileged (container "a" must not set …)`.
    static List<String> violations(PodSecurityLevel level, Json.Obj spec) {
        var rules = new PodSecurityRules(spec);
        var found = switch (level) {
            case PRIVILEGED -> List.<Optional<String>>of();
            case BASELINE -> rules.baseline();
            case RESTRICTED -> rules.restricted();
        };
        return found.stream().flatMap(Optional::stream).toList();
    }

    private List<Optional<String>> baseline() {
        return List.of(
                appArmor(),
                baselineCapabilities(),
                hostNamespaces(),
                hostPathVolumes(),
                hostPorts(),
                hostProcess(),
                privileged(),
                procMount(),
                seLinuxOptions(),
                baselineSeccomp(),
                sysctls());
    }

    /// The stricter rules on capabilities, volumes and seccomp stand in for the ones of the baseline.
    private List<Optional<String>> restricted() {
        return List.of(
                appArmor(),
                hostNamespaces(),
                hostPorts(),
                hostProcess(),
                privileged(),
                procMount(),
                seLinuxOptions(),
                sysctls(),
                privilegeEscalation(),
                restrictedCapabilities(),
                restrictedVolumes(),
                runAsNonRoot(),
                runAsUser(),
                restrictedSeccomp());
    }

    private List<String> names(Predicate<Json.Obj> bad) {
        return containers.stream().filter(bad).map(each -> each.string("name")).toList();
    }

    private static String quoted(Collection<String> words) {
        return words.stream().map(word -> '"' + word + '"').collect(Collectors.joining(", "));
    }

    private static String container(Collection<String> names) {
        return (names.size() == 1 ? "container " : "containers ") + quoted(names);
    }

    private static Optional<String> violation(String rule, Collection<String> details) {
        return details.isEmpty() ? Optional.empty() : Optional.of(rule + " (" + String.join("; ", details) + ")");
    }

    private Optional<String> inContainers(String rule, String detail, Predicate<Json.Obj> bad) {
        var names = names(bad);
        return violation(rule, names.isEmpty() ? List.of() : List.of(container(names) + " " + detail));
    }

    private Set<String> fromContainers(Function<Json.Obj, List<String>> values) {
        var found = new TreeSet<String>();
        containers.forEach(each -> found.addAll(values.apply(each)));
        return found;
    }

    private Optional<String> hostNamespaces() {
        var used = Stream.of("hostNetwork", "hostPID", "hostIPC")
                .filter(spec::flag)
                .map(field -> field + "=true")
                .toList();
        return used.isEmpty() ? Optional.empty() : Optional.of("host namespaces (" + String.join(", ", used) + ")");
    }

    private Optional<String> hostPathVolumes() {
        var names = spec.objects("volumes").stream()
                .filter(volume -> volume.has("hostPath"))
                .map(volume -> volume.string("name"))
                .toList();
        return violation(
                "hostPath volumes",
                names.isEmpty() ? List.of() : List.of((names.size() == 1 ? "volume " : "volumes ") + quoted(names)));
    }

    private Optional<String> hostPorts() {
        Function<Json.Obj, List<String>> ports = each -> each.objects("ports").stream()
                .map(port -> port.integer("hostPort"))
                .filter(port -> port != 0)
                .map(String::valueOf)
                .toList();
        var names = names(each -> !ports.apply(each).isEmpty());
        var used = fromContainers(ports);
        var verb = (names.size() == 1 ? " uses " : " use ") + (used.size() == 1 ? "hostPort " : "hostPorts ");
        return violation(
                "hostPort", names.isEmpty() ? List.of() : List.of(container(names) + verb + String.join(", ", used)));
    }

    private Optional<String> hostProcess() {
        Predicate<Json.Obj> bad = each -> each.flag(CONTEXT, "windowsOptions", "hostProcess");
        return setBy("hostProcess", "must not set securityContext.windowsOptions.hostProcess=true", bad);
    }

    private Optional<String> appArmor() {
        Predicate<Json.Obj> bad =
                each -> each.string(CONTEXT, "appArmorProfile", "type").equals("Unconfined");
        return setBy("forbidden AppArmor profile", "must not set AppArmor profile type to \"Unconfined\"", bad);
    }

    /// A setting that the pod and each container can have.
    private Optional<String> setBy(String rule, String detail, Predicate<Json.Obj> bad) {
        var setters = setters(bad.test(spec), names(bad));
        return violation(rule, setters.isEmpty() ? List.of() : List.of(setters + " " + detail));
    }

    private Optional<String> privileged() {
        return inContainers(
                "privileged", "must not set securityContext.privileged=true", each -> each.flag(CONTEXT, "privileged"));
    }

    private Optional<String> procMount() {
        return inContainers(
                "procMount",
                "must not set securityContext.procMount to \"Unmasked\"",
                each -> each.string(CONTEXT, "procMount").equals("Unmasked"));
    }

    private Optional<String> baselineCapabilities() {
        Function<Json.Obj, List<String>> added = each -> added(each).stream()
                .filter(name -> !BASELINE_CAPABILITIES.contains(name))
                .toList();
        var names = names(each -> !added.apply(each).isEmpty());
        return violation(
                "non-default capabilities",
                names.isEmpty()
                        ? List.of()
                        : List.of(container(names) + " must not include " + quoted(fromContainers(added))
                                + " in securityContext.capabilities.add"));
    }

    private static List<String> added(Json.Obj container) {
        return container.array(CONTEXT, "capabilities", "add").strings();
    }

    private Optional<String> restrictedCapabilities() {
        var details = new ArrayList<String>();
        var keeping = names(
                each -> !each.array(CONTEXT, "capabilities", "drop").strings().contains("ALL"));
        if (!keeping.isEmpty()) {
            details.add(container(keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
        }
        Function<Json.Obj, List<String>> forbidden = each -> added(each).stream()
                .filter(name -> !name.equals("NET_BIND_SERVICE"))
                .toList();
        var adding = names(each -> !forbidden.apply(each).isEmpty());
        if (!adding.isEmpty()) {
            details.add(container(adding) + " must not include " + quoted(fromContainers(forbidden))
                    + " in securityContext.capabilities.add");
        }
        return violation("unrestricted capabilities", details);
    }

    private Optional<String> seLinuxOptions() {
        var setters = new ArrayList<String>();
        var options = new ArrayList<Json.Obj>();
        if (isForbiddenLinux(spec)) {
            setters.add("pod");
            options.add(spec.object(CONTEXT, "seLinuxOptions"));
        }
        var names = names(PodSecurityRules::isForbiddenLinux);
        if (!names.isEmpty()) {
            setters.add(container(names));
        }
        containers.stream()
                .filter(PodSecurityRules::isForbiddenLinux)
                .forEach(each -> options.add(each.object(CONTEXT, "seLinuxOptions")));
        if (setters.isEmpty()) {
            return Optional.empty();
        }
        var values = new ArrayList<String>();
        var types = options.stream()
                .map(each -> each.string("type"))
                .filter(type -> !SELINUX_TYPES.contains(type))
                .collect(Collectors.toCollection(TreeSet::new));
        if (!types.isEmpty()) {
            values.add((types.size() == 1 ? "type " : "types ") + quoted(types));
        }
        for (var field : List.of("user", "role")) {
            if (options.stream().anyMatch(each -> !each.string(field).isEmpty())) {
                values.add(field + " may not be set");
            }
        }
        return Optional.of("seLinuxOptions (" + String.join(" and ", setters)
                + " set forbidden securityContext.seLinuxOptions: " + String.join("; ", values) + ")");
    }

    private static boolean isForbiddenLinux(Json.Obj holder) {
        var options = holder.object(CONTEXT, "seLinuxOptions");
        return !SELINUX_TYPES.contains(options.string("type"))
                || !options.string("user").isEmpty()
                || !options.string("role").isEmpty();
    }

    private static String seccomp(Json.Obj holder) {
        return holder.string(CONTEXT, "seccompProfile", "type");
    }

    private Optional<String> baselineSeccomp() {
        return setBy(
                "seccompProfile",
                "must not set securityContext.seccompProfile.type to \"Unconfined\"",
                each -> seccomp(each).equals("Unconfined"));
    }

    private static String setters(boolean pod, List<String> names) {
        if (names.isEmpty()) {
            return pod ? "pod" : "";
        }
        return (pod ? "pod and " : "") + container(names);
    }

    private Optional<String> restrictedSeccomp() {
        var allowed = Set.of("RuntimeDefault", "Localhost");
        var details = new ArrayList<String>();
        boolean podIsWrong = !seccomp(spec).isEmpty() && !allowed.contains(seccomp(spec));
        var wrong = names(each -> !seccomp(each).isEmpty() && !allowed.contains(seccomp(each)));
        var setters = setters(podIsWrong, wrong);
        if (!setters.isEmpty()) {
            details.add(setters + " must not set securityContext.seccompProfile.type to \"Unconfined\"");
        }
        var unsaid = names(each -> seccomp(each).isEmpty());
        if (seccomp(spec).isEmpty() && !unsaid.isEmpty()) {
            details.add("pod or " + container(unsaid)
                    + " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\"");
        }
        return violation("seccompProfile", details);
    }

    private Optional<String> sysctls() {
        var forbidden = spec.objects(CONTEXT, "sysctls").stream()
                .map(each -> each.string("name"))
                .filter(name -> !SAFE_SYSCTLS.contains(name))
                .toList();
        return violation("forbidden sysctls", forbidden.isEmpty() ? List.of() : List.of(String.join(", ", forbidden)));
    }

    private Optional<String> privilegeEscalation() {
        return inContainers(
                "allowPrivilegeEscalation != false",
                "must set securityContext.allowPrivilegeEscalation=false",
                each -> !(each.at(CONTEXT, "allowPrivilegeEscalation") instanceof Json.Bool(var set)) || set);
    }

    private Optional<String> restrictedVolumes() {
        var names = new ArrayList<String>();
        var types = new TreeSet<String>();
        for (var volume : spec.objects("volumes")) {
            var type = volume.keys().stream()
                    .filter(field -> !field.equals("name"))
                    .findFirst()
                    .orElse("emptyDir");
            if (!RESTRICTED_VOLUMES.contains(type)) {
                names.add(volume.string("name"));
                types.add(type);
            }
        }
        var words = names.size() == 1 ? "volume " + quoted(names) + " uses" : "volumes " + quoted(names) + " use";
        return violation(
                "restricted volume types",
                names.isEmpty()
                        ? List.of()
                        : List.of(words + " restricted volume " + (types.size() == 1 ? "type " : "types ")
                                + quoted(types)));
    }

    private Optional<String> runAsNonRoot() {
        var details = new ArrayList<String>();
        boolean podIsWrong = spec.at(CONTEXT, "runAsNonRoot") instanceof Json.Bool(var set) && !set;
        var wrong = names(each -> each.at(CONTEXT, "runAsNonRoot") instanceof Json.Bool(var own) && !own);
        var setters = setters(podIsWrong, wrong);
        if (!setters.isEmpty()) {
            details.add(setters + " must not set securityContext.runAsNonRoot=false");
        }
        var unsaid = names(each -> !(each.at(CONTEXT, "runAsNonRoot") instanceof Json.Bool));
        if (!(spec.at(CONTEXT, "runAsNonRoot") instanceof Json.Bool) && !unsaid.isEmpty()) {
            details.add("pod or " + container(unsaid) + " must set securityContext.runAsNonRoot=true");
        }
        return violation("runAsNonRoot != true", details);
    }

    private Optional<String> runAsUser() {
        return setBy(
                "runAsUser=0",
                "must not set runAsUser=0",
                each -> each.at(CONTEXT, "runAsUser") instanceof Json.Int(var user) && user == 0);
    }
}
