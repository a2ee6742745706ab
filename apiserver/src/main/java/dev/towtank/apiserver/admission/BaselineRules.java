package dev.towtank.apiserver.admission;

import static dev.towtank.apiserver.admission.CheckedPod.CONTEXT;
import static dev.towtank.apiserver.admission.CheckedPod.containers;
import static dev.towtank.apiserver.admission.CheckedPod.one;
import static dev.towtank.apiserver.admission.CheckedPod.quoted;

import dev.towtank.apiserver.admission.PodSecurityRules.Violation;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The rules of the baseline level, in Kubernetes' order.
///
/// @param minor the version of Kubernetes whose rules these are
/// @param restricted whether the rules of the restricted level follow, some of which stand in for these
record BaselineRules(CheckedPod pod, int minor, boolean restricted) {

    private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
    private static final String SECCOMP = "seccomp.security.alpha.kubernetes.io/";

    static final Set<String> PROFILES = Set.of("RuntimeDefault", "Localhost");

    private static final Set<String> CAPABILITIES = Set.of(
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

    /// With the version since which each is allowed.
    private static final Map<String, Integer> SYSCTLS = Map.ofEntries(
            Map.entry("kernel.shm_rmid_forced", 0),
            Map.entry("net.ipv4.ip_local_port_range", 0),
            Map.entry("net.ipv4.ip_unprivileged_port_start", 0),
            Map.entry("net.ipv4.ping_group_range", 0),
            Map.entry("net.ipv4.tcp_syncookies", 0),
            Map.entry("net.ipv4.ip_local_reserved_ports", 27),
            Map.entry("net.ipv4.tcp_fin_timeout", 29),
            Map.entry("net.ipv4.tcp_keepalive_intvl", 29),
            Map.entry("net.ipv4.tcp_keepalive_probes", 29),
            Map.entry("net.ipv4.tcp_keepalive_time", 29),
            Map.entry("net.ipv4.tcp_rmem", 32),
            Map.entry("net.ipv4.tcp_wmem", 32));

    private static final Set<String> SELINUX_TYPES = Set.of("", "container_t", "container_init_t", "container_kvm_t");

    void find(List<Violation> found) {
        appArmor(found);
        if (!restricted || minor < 22) {
            capabilities(found);
        }
        hostNamespaces(found);
        if (!restricted) {
            hostPathVolumes(found);
        }
        hostPorts(found);
        if (minor >= 34) {
            hostProbes(found);
        }
        privileged(found);
        if (minor < 35 || !(restricted || pod.hasOwnUsers())) {
            procMount(pod, found);
        }
        seLinuxOptions(found);
        if (minor < 19) {
            seccompAnnotations(found);
        } else if (!restricted) {
            seccomp(found);
        }
        sysctls(found);
        hostProcess(found);
    }

    private void appArmor(List<Violation> found) {
        Predicate<Json.Obj> bad = each -> each.object(CONTEXT).has("appArmorProfile")
                && !PROFILES.contains(each.string(CONTEXT, "appArmorProfile", "type"));
        var values = new TreeSet<String>();
        Stream.concat(Stream.of(pod.spec()), pod.containers().stream())
                .filter(bad)
                .forEach(each -> values.add(each.string(CONTEXT, "appArmorProfile", "type")));
        var setters = pod.setters(bad);
        var annotations = new TreeSet<String>();
        pod.annotations().forEach((key, value) -> {
            boolean allowed = value.isEmpty() || value.equals("runtime/default") || value.startsWith("localhost/");
            if (key.startsWith(APP_ARMOR) && !allowed) {
                annotations.add(key + "=\"" + value + "\"");
            }
        });
        var all = new ArrayList<String>(values);
        all.addAll(annotations);
        if (!annotations.isEmpty()) {
            setters = (setters.isEmpty() ? "" : setters + " and ") + one("annotation", annotations);
        }
        if (!setters.isEmpty()) {
            found.add(new Violation(
                    one("forbidden AppArmor profile", all),
                    setters + " must not set AppArmor profile type to " + quoted(all)));
        }
    }

    private void capabilities(List<Violation> found) {
        Function<Json.Obj, List<String>> added = each -> added(each).stream()
                .filter(name -> !CAPABILITIES.contains(name))
                .toList();
        var names = pod.names(each -> !added.apply(each).isEmpty());
        if (!names.isEmpty()) {
            found.add(new Violation("non-default capabilities", mustNotAdd(names, pod.values(added))));
        }
    }

    static List<String> added(Json.Obj container) {
        return container.array(CONTEXT, "capabilities", "add").strings();
    }

    static String mustNotAdd(List<String> names, Set<String> added) {
        return containers(names) + " must not include " + quoted(added) + " in securityContext.capabilities.add";
    }

    private void hostNamespaces(List<Violation> found) {
        var used = Stream.of("hostNetwork", "hostPID", "hostIPC")
                .filter(pod.spec()::flag)
                .map(field -> field + "=true")
                .toList();
        if (!used.isEmpty()) {
            found.add(new Violation("host namespaces", String.join(", ", used)));
        }
    }

    private void hostPathVolumes(List<Violation> found) {
        var names = pod.spec().objects("volumes").stream()
                .filter(volume -> volume.has("hostPath"))
                .map(volume -> volume.string("name"))
                .toList();
        if (!names.isEmpty()) {
            found.add(new Violation("hostPath volumes", one("volume", names) + " " + quoted(names)));
        }
    }

    private void hostPorts(List<Violation> found) {
        Function<Json.Obj, List<String>> ports = each -> each.objects("ports").stream()
                .map(port -> port.integer("hostPort"))
                .filter(port -> port != 0)
                .map(String::valueOf)
                .toList();
        var names = pod.names(each -> !ports.apply(each).isEmpty());
        var used = pod.values(ports);
        if (!names.isEmpty()) {
            found.add(new Violation("hostPort", uses(names) + one("hostPort", used) + " " + String.join(", ", used)));
        }
    }

    private static String uses(Collection<String> names) {
        return containers(names) + (names.size() == 1 ? " uses " : " use ");
    }

    private void hostProbes(List<Violation> found) {
        var names = new TreeSet<>(pod.names(each -> !probedHosts(each).isEmpty()));
        var hosts = pod.values(BaselineRules::probedHosts);
        if (!names.isEmpty()) {
            found.add(new Violation(
                    "probe or lifecycle host",
                    uses(names) + one("probe or lifecycle host", hosts) + " " + quoted(hosts)));
        }
    }

    private static List<String> probedHosts(Json.Obj container) {
        return Stream.of(
                        List.of("livenessProbe"),
                        List.of("readinessProbe"),
                        List.of("startupProbe"),
                        List.of("lifecycle", "postStart"),
                        List.of("lifecycle", "preStop"))
                .map(path -> container.object(path.toArray(String[]::new)))
                .flatMap(handler -> Stream.of(handler.string("httpGet", "host"), handler.string("tcpSocket", "host")))
                .filter(host -> !host.isEmpty())
                .toList();
    }

    private void privileged(List<Violation> found) {
        var names = pod.names(each -> each.flag(CONTEXT, "privileged"));
        if (!names.isEmpty()) {
            found.add(new Violation("privileged", containers(names) + " must not set securityContext.privileged=true"));
        }
    }

    static void procMount(CheckedPod pod, List<Violation> found) {
        Function<Json.Obj, List<String>> mounts = each -> Stream.of(each.string(CONTEXT, "procMount"))
                .filter(type -> !type.isEmpty() && !type.equals("Default"))
                .toList();
        var names = pod.names(each -> !mounts.apply(each).isEmpty());
        if (!names.isEmpty()) {
            found.add(new Violation(
                    "procMount",
                    containers(names) + " must not set securityContext.procMount to " + quoted(pod.values(mounts))));
        }
    }

    private void seLinuxOptions(List<Violation> found) {
        var setters = pod.setters(this::isForbiddenLinux);
        if (setters.isEmpty()) {
            return;
        }
        var options = Stream.concat(Stream.of(pod.spec()), pod.containers().stream())
                .map(each -> each.object(CONTEXT, "seLinuxOptions"))
                .toList();
        var values = new ArrayList<String>();
        var types = new TreeSet<String>();
        options.stream()
                .map(each -> each.string("type"))
                .filter(this::isForbiddenType)
                .forEach(types::add);
        if (!types.isEmpty()) {
            values.add(one("type", types) + " " + quoted(types));
        }
        for (var field : List.of("user", "role")) {
            if (options.stream().anyMatch(each -> !each.string(field).isEmpty())) {
                values.add(field + " may not be set");
            }
        }
        found.add(new Violation(
                "seLinuxOptions",
                setters + " set forbidden securityContext.seLinuxOptions: " + String.join("; ", values)));
    }

    private boolean isForbiddenType(String type) {
        return !SELINUX_TYPES.contains(type) && !(minor >= 31 && type.equals("container_engine_t"));
    }

    private boolean isForbiddenLinux(Json.Obj holder) {
        var options = holder.object(CONTEXT, "seLinuxOptions");
        return isForbiddenType(options.string("type"))
                || !options.string("user").isEmpty()
                || !options.string("role").isEmpty();
    }

    private void seccompAnnotations(List<Violation> found) {
        var forbidden = new TreeSet<String>();
        Stream.concat(
                        Stream.of(SECCOMP + "pod"),
                        pod.containers().stream().map(each -> "container." + SECCOMP + each.string("name")))
                .forEach(key -> {
                    var value = pod.annotations().get(key);
                    if (value != null
                            && !value.equals("runtime/default")
                            && !value.equals("docker/default")
                            && !value.startsWith("localhost/")) {
                        forbidden.add(key + "=\"" + value + "\"");
                    }
                });
        if (!forbidden.isEmpty()) {
            found.add(new Violation(
                    "seccompProfile",
                    "forbidden " + one("annotation", forbidden) + " " + String.join(", ", forbidden)));
        }
    }

    private void seccomp(List<Violation> found) {
        var wrong = wrongSeccomp(pod);
        if (!wrong.isEmpty()) {
            found.add(new Violation("seccompProfile", wrong));
        }
    }

    /// Who has set a profile that no level allows; empty when nobody has.
    static String wrongSeccomp(CheckedPod pod) {
        Predicate<Json.Obj> bad = each -> hasSeccomp(each) && !PROFILES.contains(seccompType(each));
        var setters = pod.setters(bad);
        var values = new TreeSet<String>();
        Stream.concat(Stream.of(pod.spec()), pod.containers().stream())
                .filter(bad)
                .forEach(each -> values.add(seccompType(each)));
        return setters.isEmpty()
                ? ""
                : setters + " must not set securityContext.seccompProfile.type to " + quoted(values);
    }

    static boolean hasSeccomp(Json.Obj holder) {
        return holder.object(CONTEXT).has("seccompProfile");
    }

    private static String seccompType(Json.Obj holder) {
        return holder.string(CONTEXT, "seccompProfile", "type");
    }

    private void sysctls(List<Violation> found) {
        var forbidden = pod.spec().objects(CONTEXT, "sysctls").stream()
                .map(each -> each.string("name"))
                .filter(name -> !SYSCTLS.containsKey(name) || SYSCTLS.get(name) > minor)
                .toList();
        if (!forbidden.isEmpty()) {
            found.add(new Violation("forbidden sysctls", String.join(", ", forbidden)));
        }
    }

    private void hostProcess(List<Violation> found) {
        var setters = pod.setters(each -> each.flag(CONTEXT, "windowsOptions", "hostProcess"));
        if (!setters.isEmpty()) {
            found.add(new Violation(
                    "hostProcess", setters + " must not set securityContext.windowsOptions.hostProcess=true"));
        }
    }
}
