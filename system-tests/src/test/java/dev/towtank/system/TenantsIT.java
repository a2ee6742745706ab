package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.pki.Credential;
import dev.towtank.apiserver.pki.Pki;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Two tenants on one server, and what each may do: a table, every cell of which is asked and tried.
class TenantsIT {

    /// What the administrator sets up. The tenants get no more than these.
    private static final String SETUP = """
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: red}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: blue}}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: node-reader}
            rules: [{apiGroups: [""], resources: [nodes], verbs: [get, list]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: node-reader}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: node-reader}
            subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: bob}]
            """;

    private static final String RED = """
            ---
            {apiVersion: v1, kind: ServiceAccount, metadata: {name: robot}}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: tenant}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin}
            subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: red-team}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: robot}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
            subjects: [{kind: ServiceAccount, name: robot, namespace: red}]
            """;

    private static final String BLUE = """
            ---
            {apiVersion: v1, kind: ServiceAccount, metadata: {name: robot}}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: tenant}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
            subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: bob}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: robot}
            rules:
            - {apiGroups: [""], resources: [configmaps], resourceNames: [settings], verbs: [get, update]}
            - {apiGroups: [""], resources: [pods/log], verbs: [get]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: robot}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: robot}
            subjects: [{kind: ServiceAccount, name: robot, namespace: blue}]
            """;

    /// alice is in the red team; her column is tried with her certificate, the one of `as-alice` by an
    /// administrator who acts as her. `-` stands for no namespace.
    private static final String TABLE = """
            verb             resource                                namespace | alice as-alice red-robot bob blue-robot anonymous
            get              configmaps                              red       |  y       y        y       n      n          n
            list             configmaps                              red       |  y       y        y       n      n          n
            watch            configmaps                              red       |  y       y        y       n      n          n
            create           configmaps                              red       |  y       y        n       n      n          n
            update           configmaps                              red       |  y       y        n       n      n          n
            patch            configmaps                              red       |  y       y        n       n      n          n
            delete           configmaps                              red       |  y       y        n       n      n          n
            deletecollection configmaps                              red       |  y       y        n       n      n          n
            get              configmaps                              blue      |  n       n        n       y      y          n
            list             configmaps                              blue      |  n       n        n       y      n          n
            update           configmaps                              blue      |  n       n        n       y      y          n
            delete           configmaps                              blue      |  n       n        n       y      n          n
            get              secrets                                 red       |  y       y        n       n      n          n
            list             secrets                                 red       |  y       y        n       n      n          n
            get              secrets                                 blue      |  n       n        n       y      n          n
            get              pods                                    red       |  y       y        y       n      n          n
            get              pods/log                                red       |  y       y        y       n      n          n
            get              pods/log                                blue      |  n       n        n       y      y          n
            create           pods/exec                               red       |  y       y        n       n      n          n
            create           pods/exec                               blue      |  n       n        n       y      n          n
            create           pods/eviction                           red       |  y       y        n       n      n          n
            create           deployments.apps                        red       |  y       y        n       n      n          n
            patch            deployments.apps/scale                  red       |  y       y        n       n      n          n
            patch            deployments.apps/status                 red       |  n       n        n       n      n          n
            create           deployments.apps                        blue      |  n       n        n       y      n          n
            create           jobs.batch                              blue      |  n       n        n       y      n          n
            create           serviceaccounts/token                   red       |  y       y        n       n      n          n
            create           serviceaccounts/token                   blue      |  n       n        n       y      n          n
            list             roles.rbac.authorization.k8s.io         red       |  y       y        n       n      n          n
            create           rolebindings.rbac.authorization.k8s.io  red       |  y       y        n       n      n          n
            create           rolebindings.rbac.authorization.k8s.io  blue      |  n       n        n       n      n          n
            create           resourcequotas                          red       |  n       n        n       n      n          n
            get              resourcequotas                          red       |  y       y        y       n      n          n
            get              namespaces                              red       |  y       y        y       n      n          n
            get              namespaces                              blue      |  n       n        n       y      n          n
            delete           namespaces                              red       |  n       n        n       n      n          n
            list             namespaces                              -         |  n       n        n       n      n          n
            create           namespaces                              -         |  n       n        n       n      n          n
            list             configmaps                              -         |  n       n        n       n      n          n
            list             secrets                                 -         |  n       n        n       n      n          n
            list             nodes                                   -         |  n       n        n       y      n          n
            delete           nodes                                   -         |  n       n        n       n      n          n
            list             customresourcedefinitions.apiextensions.k8s.io - |  n      n        n       n      n          n
            create           clusterroles.rbac.authorization.k8s.io  -         |  n       n        n       n      n          n
            create           selfsubjectaccessreviews.authorization.k8s.io - |  y       y        y       y      y          n
            create           subjectaccessreviews.authorization.k8s.io -     |  n       n        n       n      n          n
            create           tokenreviews.authentication.k8s.io      -         |  n       n        n       n      n          n
            get              /api                                    -         |  y       y        y       y      y          n
            get              /metrics                                -         |  n       n        n       n      n          n
            get              /openid/v1/jwks                         -         |  n       n        y       n      y          n
            get              /readyz                                 -         |  y       y        y       y      y          y
            """;

    private record Row(String verb, String group, String resource, String subresource, String namespace) {
        static Row read(String verb, String resource, String namespace) {
            var slash = resource.startsWith("/") ? -1 : resource.indexOf('/');
            var whole = slash < 0 ? resource : resource.substring(0, slash);
            var dot = resource.startsWith("/") ? -1 : whole.indexOf('.');
            return new Row(
                    verb,
                    dot < 0 ? "" : whole.substring(dot + 1),
                    dot < 0 ? whole : whole.substring(0, dot),
                    slash < 0 ? "" : resource.substring(slash + 1),
                    namespace.equals("-") ? "" : namespace);
        }

        boolean isPath() {
            return resource.startsWith("/");
        }

        boolean isNamespaceItself() {
            return resource.equals("namespaces");
        }

        String name() {
            return isNamespaceItself() ? namespace : "settings";
        }

        boolean isNamed() {
            return !List.of("list", "watch", "deletecollection").contains(verb)
                    && (!verb.equals("create") || !subresource.isEmpty());
        }

        String review() {
            if (isPath()) {
                return "nonResourceAttributes: {verb: %s, path: %s}".formatted(verb, resource);
            }
            return "resourceAttributes: {verb: %s, group: \"%s\", resource: %s, subresource: \"%s\", namespace: \"%s\", name: \"%s\"}"
                    .formatted(verb, group, resource, subresource, namespace, isNamed() ? name() : "");
        }

        String path() {
            if (isPath()) {
                return resource;
            }
            var path = new StringBuilder(group.isEmpty() ? "/api/v1" : "/apis/" + group + "/v1");
            if (!namespace.isEmpty() && !isNamespaceItself()) {
                path.append("/namespaces/").append(namespace);
            }
            path.append('/').append(resource);
            if (isNamed()) {
                path.append('/').append(name());
            }
            if (!subresource.isEmpty()) {
                path.append('/').append(subresource);
            }
            return path + (verb.equals("watch") ? "?watch=true&timeoutSeconds=1" : "?dryRun=All");
        }

        String method() {
            return switch (verb) {
                case "get", "list", "watch" -> "GET";
                case "create" -> "POST";
                case "update" -> "PUT";
                case "patch" -> "PATCH";
                default -> "DELETE";
            };
        }
    }

    /// Somebody who asks: by certificate, by token, or as somebody else.
    private record Caller(Optional<Credential> certificate, String token, List<String> impersonation) {
        static Caller by(Credential certificate) {
            return new Caller(Optional.of(certificate), "", List.of());
        }

        static Caller by(String token, String... impersonation) {
            return new Caller(Optional.empty(), token, List.of(impersonation));
        }
    }

    @TempDir
    static Path directory;

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    private static Kubectl admin;
    private static URI address;
    private static Pki pki;
    private static final Map<String, Caller> CALLERS = new LinkedHashMap<>();
    private static final Map<String, HttpClient> CLIENTS = new LinkedHashMap<>();

    @BeforeAll
    static void start() throws Exception {
        admin = SERVER.kubectl();
        admin.withInput(SETUP, "apply", "-f", "-");
        admin.in("red").withInput(RED, "apply", "-f", "-");
        admin.in("blue").withInput(BLUE, "apply", "-f", "-");
        address = URI.create(admin.run("config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}"));
        pki = Pki.open(SERVER.data().resolve("pki"), InstantSource.system(), List.of());
        var hour = Duration.ofHours(1);
        CALLERS.put("alice", Caller.by(pki.issueClient("alice", List.of("red-team"), hour)));
        CALLERS.put(
                "as-alice", Caller.by(pki.adminToken(), "Impersonate-User", "alice", "Impersonate-Group", "red-team"));
        CALLERS.put("red-robot", Caller.by(token("red")));
        CALLERS.put("bob", Caller.by(pki.issueClient("bob", List.of(), hour)));
        CALLERS.put("blue-robot", Caller.by(token("blue")));
        CALLERS.put("anonymous", Caller.by(""));
        for (var caller : CALLERS.entrySet()) {
            CLIENTS.put(caller.getKey(), client(caller.getValue()));
        }
    }

    @AfterAll
    static void stop() {
        CLIENTS.values().forEach(HttpClient::shutdownNow);
    }

    private static String token(String namespace) {
        return admin.in(namespace).run("create", "token", "robot").strip();
    }

    private static HttpClient client(Caller caller) {
        var tls = caller.certificate()
                .map(pki::clientTls)
                .orElseGet(() -> Pki.anonymousTls(SERVER.data().resolve("pki")));
        return HttpClient.newBuilder().sslContext(tls).build();
    }

    private static int status(String name, String method, String path, String type, String body) throws Exception {
        var caller = CALLERS.get(name);
        var request = HttpRequest.newBuilder(address.resolve(path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Content-Type", type);
        if (!caller.token().isEmpty()) {
            request.header("Authorization", "Bearer " + caller.token());
        }
        if (!caller.impersonation().isEmpty()) {
            request.headers(caller.impersonation().toArray(String[]::new));
        }
        return CLIENTS.get(name)
                .send(request.build(), BodyHandlers.discarding())
                .statusCode();
    }

    private static Map<Row, Map<String, Boolean>> table() {
        var lines = TABLE.lines().toList();
        var columns = words(lines.getFirst().split("\\|", -1)[1]);
        assertThat(columns).containsExactlyElementsOf(CALLERS.keySet());
        var table = new LinkedHashMap<Row, Map<String, Boolean>>();
        for (var line : lines.subList(1, lines.size())) {
            var halves = line.split("\\|", -1);
            var row = words(halves[0]);
            var cells = words(halves[1]);
            assertThat(cells).as(line).hasSameSizeAs(columns);
            var expected = new LinkedHashMap<String, Boolean>();
            for (int i = 0; i < columns.size(); i++) {
                expected.put(columns.get(i), cells.get(i).equals("y"));
            }
            table.put(Row.read(row.get(0), row.get(1), row.get(2)), expected);
        }
        return table;
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.strip().split(" +", -1)).toList();
    }

    @Test
    void everyCellHoldsWhenItIsTried() throws Exception {
        var wrong = new ArrayList<String>();
        for (var row : table().entrySet()) {
            for (var cell : row.getValue().entrySet()) {
                var where = row.getKey();
                var body = where.method().equals("GET") || where.method().equals("DELETE") ? "" : "{}";
                var type = where.method().equals("PATCH") ? "application/merge-patch+json" : "application/json";
                int code = status(cell.getKey(), where.method(), where.path(), type, body);
                // Whoever is let in hears that there is no such object, or what is wrong with an empty one.
                boolean allowed = code != 401 && code != 403;
                if (allowed != cell.getValue()) {
                    wrong.add(cell.getKey() + ": " + where.method() + " " + where.path() + " gave " + code);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyCellHoldsWhenKubectlAsks() throws Exception {
        var table = table();
        for (var name : CALLERS.keySet()) {
            var reviews = table.keySet().stream().map(row -> review(name, row)).collect(Collectors.joining("\n---\n"));
            var outcome = (name.equals("anonymous") ? admin : kubectl(name))
                    .attempt(
                            reviews,
                            Map.of(),
                            "create",
                            "--validate=false",
                            "-f",
                            "-",
                            "-o",
                            "jsonpath={.status.allowed} ");
            assertThat(outcome.exit()).as(outcome.err()).isZero();
            var answers = words(outcome.out());
            assertThat(answers).hasSameSizeAs(table.keySet());
            var expected = table.values().stream()
                    .map(cells -> String.valueOf(cells.get(name)))
                    .toList();
            assertThat(answers).as(name).containsExactlyElementsOf(expected);
        }
    }

    // Somebody unknown may not even ask, so the administrator asks about them.
    private static String review(String name, Row row) {
        var anonymous = name.equals("anonymous");
        return """
                apiVersion: authorization.k8s.io/v1
                kind: %s
                spec:
                  %s
                  %s
                """.formatted(
                        anonymous ? "SubjectAccessReview" : "SelfSubjectAccessReview",
                        anonymous ? "user: system:anonymous\n  groups: [system:unauthenticated]" : "",
                        row.review());
    }

    /// A kubectl that is that caller.
    private static Kubectl kubectl(String name) throws Exception {
        var caller = CALLERS.get(name);
        var kubeconfig = directory.resolve(name + ".kubeconfig");
        Files.copy(SERVER.kubeconfig(), kubeconfig, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        var kubectl = new Kubectl(admin.binary(), admin.version(), kubeconfig, "default");
        var user = kubectl.run("config", "view", "--minify", "-o", "jsonpath={.users[0].name}");
        kubectl.run("config", "unset", "users");
        if (caller.certificate().isPresent()) {
            var credential = caller.certificate().get();
            var certificate = directory.resolve(name + ".crt");
            var key = directory.resolve(name + ".key");
            Files.writeString(certificate, credential.certificatePem());
            Files.writeString(key, credential.privateKeyPem());
            kubectl.run(
                    "config", "set-credentials", user, "--client-certificate=" + certificate, "--client-key=" + key);
        } else {
            kubectl.run("config", "set-credentials", user, "--token=" + caller.token());
        }
        if (!caller.impersonation().isEmpty()) {
            // There is no command for this.
            var text = Files.readString(kubeconfig);
            Files.writeString(
                    kubeconfig, text.replace("    token: ", "    as: alice\n    as-groups: [red-team]\n    token: "));
        }
        return kubectl;
    }

    @Test
    void tenantsCannotBecomeEachOther() throws Exception {
        for (var name : List.of("alice", "bob", "red-robot", "blue-robot")) {
            var refused = kubectl(name)
                    .attempt(
                            "get",
                            "--raw",
                            "/api/v1/namespaces/red/secrets",
                            "--as",
                            "alice",
                            "--as-group",
                            "red-team");
            assertThat(refused.exit()).as(name).isEqualTo(1);
            assertThat(refused.err())
                    .contains("cannot impersonate resource \"users\" in API group \"\" at the cluster scope");
        }
        // An admin of a namespace cannot hand out more than she has.
        var escalation = kubectl("alice")
                .attempt("create", "rolebinding", "all", "-n", "red", "--clusterrole=cluster-admin", "--user=alice");
        assertThat(escalation.err()).contains("is attempting to grant RBAC permissions not currently held");
        assertThat(kubectl("alice")
                        .run("create", "rolebinding", "friend", "-n", "red", "--clusterrole=view", "--user=bob"))
                .contains("created");
        assertThat(status("bob", "GET", "/api/v1/namespaces/red/configmaps", "application/json", ""))
                .isEqualTo(200);
        kubectl("alice").run("delete", "rolebinding", "friend", "-n", "red");
        assertThat(status("bob", "GET", "/api/v1/namespaces/red/configmaps", "application/json", ""))
                .isEqualTo(403);
    }
}
