package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Who somebody is and what they may do, and the trail they leave, with real kubectl.
@ParameterizedClass
@MethodSource("binaries")
class AccessIT {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @Parameter
    Path binary;

    private Kubectl kubectl;

    static List<Path> binaries() {
        return Kubectl.binaries();
    }

    @BeforeEach
    void namespace() {
        kubectl = SERVER.inNewNamespace(binary);
        kubectl.run("create", "serviceaccount", "robot");
        kubectl.run("create", "role", "reader", "--verb=get,list", "--resource=pods,pods/log");
        kubectl.run(
                "create", "rolebinding", "read", "--role=reader", "--serviceaccount=" + kubectl.namespace() + ":robot");
    }

    private String robot() {
        return "system:serviceaccount:" + kubectl.namespace() + ":robot";
    }

    @Test
    void tellsWhatSomebodyMayDo() {
        assertThat(kubectl.run("auth", "can-i", "delete", "nodes")).isEqualTo("yes\n");
        assertThat(kubectl.run("auth", "can-i", "list", "pods", "--as", robot()))
                .isEqualTo("yes\n");
        assertThat(kubectl.run("auth", "can-i", "get", "pods", "--subresource=log", "--as", robot()))
                .isEqualTo("yes\n");
        var refused = kubectl.attempt("auth", "can-i", "delete", "pods", "--as", robot());
        assertThat(refused.out()).isEqualTo("no\n");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(kubectl.attempt("auth", "can-i", "get", "/metrics", "--as", robot())
                        .out())
                .isEqualTo("no\n");
        assertThat(kubectl.run("auth", "can-i", "--list", "--as", robot()))
                .containsPattern("Resources +Non-Resource URLs +Resource Names +Verbs")
                .containsPattern("pods +\\[\\] +\\[\\] +\\[get list\\]")
                .containsPattern("pods/log +\\[\\] +\\[\\] +\\[get list\\]")
                .containsPattern("selfsubjectaccessreviews.authorization.k8s.io +\\[\\] +\\[\\] +\\[create\\]")
                .containsPattern("\\[/healthz\\] +\\[\\] +\\[get\\]");
        assertThat(kubectl.run("auth", "can-i", "--list")).containsPattern("\\*\\.\\* +\\[\\] +\\[\\] +\\[\\*\\]");
    }

    @Test
    void actsAsSomebodyElse() {
        assertThat(kubectl.run("get", "pods", "--as", robot(), "-o", "name")).isEmpty();
        assertThat(kubectl.attempt("get", "configmaps", "--as", robot()).err())
                .isEqualTo("Error from server (Forbidden): configmaps is forbidden: User \"" + robot()
                        + "\" cannot list resource \"configmaps\" in API group \"\" in the namespace \""
                        + kubectl.namespace() + "\"\n");
        assertThat(kubectl.run("get", "configmaps", "--as", "jane", "--as-group", "system:masters", "-o", "name"))
                .contains("configmap/kube-root-ca.crt");
    }

    @Test
    void tellsWhoSomebodyIs() {
        if (kubectl.minor() < 28) {
            return; // older ones have no such command
        }
        assertThat(kubectl.run("auth", "whoami"))
                .containsPattern("Username +towtank-admin")
                .containsPattern("Groups +\\[.*system:masters.*\\]");
        assertThat(kubectl.run("auth", "whoami", "--as", robot(), "-o", "jsonpath={.status.userInfo.username}"))
                .isEqualTo(robot());
    }

    @Test
    void makesTokensThatWork() {
        if (kubectl.minor() < 24) {
            return; // older ones have no such command
        }
        var token = kubectl.run("create", "token", "robot", "--duration=10m").strip();
        assertThat(token.split("\\.", -1)).hasSize(3);
        var withToken = new String[] {
            "--kubeconfig=/dev/null", "--server=" + address(), "--insecure-skip-tls-verify", "--token=" + token
        };
        assertThat(kubectl.run(with(withToken, "get", "pods", "-o", "name"))).isEmpty();
        assertThat(kubectl.attempt(with(withToken, "get", "secrets")).err())
                .contains("User \"" + robot() + "\" cannot list");
        assertThat(JsonText.parseObject(kubectl.run(with(withToken, "get", "--raw", "/openid/v1/jwks")))
                        .array("keys")
                        .size())
                .isEqualTo(1);
        assertThat(kubectl.run(with(withToken, "get", "--raw", "/.well-known/openid-configuration")))
                .contains("\"jwks_uri\":\"" + address() + "/openid/v1/jwks\"");
        assertThat(kubectl.attempt("create", "token", "robot", "--duration=1s").err())
                .contains("may not specify a duration less than 10 minutes");
        kubectl.run("delete", "serviceaccount", "robot");
        assertThat(kubectl.attempt(with(withToken, "get", "pods")).err()).contains("provide credentials");
    }

    private String address() {
        return kubectl.run("config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}");
    }

    private static String[] with(String[] options, String... command) {
        return java.util.stream.Stream.concat(java.util.Arrays.stream(command), java.util.Arrays.stream(options))
                .toArray(String[]::new);
    }

    @Test
    void explainsBuiltInKinds() {
        assertThat(kubectl.run("explain", "pod.spec.containers.livenessProbe.httpGet"))
                .contains("path", "port", "scheme");
        assertThat(kubectl.run("explain", "deployment", "--recursive"))
                .containsPattern("template\\s+<(Pod)?.*>")
                .contains("maxSurge", "terminationGracePeriodSeconds");
        assertThat(kubectl.attempt("explain", "pod.spec.nothing").err()).contains("field \"nothing\" does not exist");
    }

    @Test
    void everyRequestLeavesATrail() throws Exception {
        kubectl.run("create", "secret", "generic", "password", "--from-literal=key=hunter2-" + kubectl.namespace());
        kubectl.attempt("delete", "secret", "password", "--as", robot());
        kubectl.run("create", "configmap", "last");
        var line = awaitLine("\"create\"", "\"name\":\"last\"");
        assertThat(line.string("verb")).isEqualTo("create");
        assertThat(line.string("user", "username")).isEqualTo("towtank-admin");
        assertThat(line.string("objectRef", "namespace")).isEqualTo(kubectl.namespace());
        assertThat(line.integer("responseStatus", "code")).isEqualTo(201);
        assertThat(line.string("annotations", "authorization.k8s.io/decision")).isEqualTo("allow");
        var refused = awaitLine("\"delete\"", "\"secrets\"");
        assertThat(refused.string("impersonatedUser", "username")).isEqualTo(robot());
        assertThat(refused.string("responseStatus", "reason")).isEqualTo("Forbidden");
        assertThat(refused.string("annotations", "authorization.k8s.io/decision"))
                .isEqualTo("forbid");
        kubectl.run("delete", "namespace", kubectl.namespace());
        var inside = awaitLine("\"userAgent\":\"towtank\"", "\"deletecollection\"");
        assertThat(inside.string("user", "username")).startsWith("system:");
        assertThat(Files.readString(log()))
                .doesNotContain("hunter2", "aHVudGVyMi")
                .doesNotContain(Files.readString(SERVER.data().resolve("pki/admin.token"))
                        .strip());
    }

    private static Path log() {
        return SERVER.data().resolve("audit/audit.log");
    }

    /// A line of this namespace with these words; it is there soon, not at once.
    private Json.Obj awaitLine(String... words) throws IOException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (System.nanoTime() < end) {
            var text = Files.readString(log());
            // The last line may be half written.
            for (var line :
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                if (line.contains("\"namespace\":\"" + kubectl.namespace() + "\"")
                        && java.util.Arrays.stream(words).allMatch(line::contains)) {
                    return JsonText.parseObject(line);
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        throw new AssertionError("no such line: " + List.of(words));
    }
}
