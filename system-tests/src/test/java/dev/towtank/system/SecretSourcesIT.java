package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Where else External Secrets reads and writes: other API servers over TLS, web servers, fields of objects and
/// generators.
class SecretSourcesIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static final String READY = "{.status.conditions[?(@.type==\"Ready\")].reason}";

    private Kubectl kubectl;
    private Kubectl storage;

    @BeforeEach
    void makeNamespaces() {
        kubectl = SERVER.inNewNamespace();
        storage = SERVER.inNewNamespace();
    }

    private void apply(String yaml) {
        kubectl.withInput(yaml.replace("STORAGE", storage.namespace()), "apply", "-f", "-");
    }

    private String config(String path) {
        return Kubectl.newest(SERVER.kubeconfig(), "default")
                .run("config", "view", "--raw", "-o", "jsonpath={" + path + "}");
    }

    private void applyStore(String name, String provider) {
        apply("""
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: %s}
                spec: {provider: %s}
                """.formatted(name, provider));
    }

    private void applyExternalSecret(String name, String more) {
        apply("""
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: %s}
                spec:
                  refreshInterval: 1s
                  secretStoreRef: {name: %s}
                """.formatted(name, name) + more.indent(2));
    }

    private void awaitValue(String secret, String value) {
        kubectl.await(
                "secrets/" + secret,
                "{.data.v}",
                Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
    }

    /// SS-1, RB-1 and RB-2: tokens are made by TokenRequest and certificates shown over TLS, and the other side
    /// decides.
    @Test
    void anApiServerIsReadOverTlsByThreeKindsOfProof() {
        storage.run("create", "secret", "generic", "bucket", "--from-literal=id=one");
        kubectl.run("create", "serviceaccount", "reader");
        var remote = "server: {url: \"%s\", caProvider: {type: ConfigMap, name: kube-root-ca.crt, key: ca.crt}},"
                        .formatted(config(".clusters[0].cluster.server"))
                + " remoteNamespace: STORAGE";
        applyStore("by-account", "{kubernetes: {auth: {serviceAccount: {name: reader}}, " + remote + "}}");
        kubectl.await("secretstores/by-account", READY, "InvalidProviderConfig");
        storage.run("create", "role", "reader", "--verb=get,list", "--resource=secrets");
        storage.run(
                "create",
                "rolebinding",
                "reader",
                "--role=reader",
                "--serviceaccount=" + kubectl.namespace() + ":reader");
        kubectl.await("secretstores/by-account", READY, "Valid");
        var data = "data: [{secretKey: v, remoteRef: {key: bucket, property: id}}]";
        applyExternalSecret("by-account", data);
        awaitValue("by-account", "one");

        var token = kubectl.withInput(
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}",
                "create",
                "--raw",
                "/api/v1/namespaces/" + kubectl.namespace() + "/serviceaccounts/reader/token",
                "-f",
                "-");
        token = token.replaceFirst("(?s).*\"token\": *\"([^\"]+)\".*", "$1");
        kubectl.run("create", "secret", "generic", "proof", "--from-literal=token=" + token);
        applyStore(
                "by-token", "{kubernetes: {auth: {token: {bearerToken: {name: proof, key: token}}}, " + remote + "}}");
        applyExternalSecret("by-token", data);
        awaitValue("by-token", "one");

        kubectl.run(
                "create",
                "secret",
                "generic",
                "certificate",
                "--from-file=crt=" + SERVER.data().resolve("pki/admin.crt"),
                "--from-file=key=" + SERVER.data().resolve("pki/admin.key"));
        applyStore(
                "by-certificate",
                "{kubernetes: {auth: {cert: {clientCert: {name: certificate, key: crt}, clientKey: {name: certificate,"
                        + " key: key}}}, " + remote + "}}");
        applyExternalSecret(
                "by-certificate", "dataFrom: [{extract: {key: bucket}, rewrite: [{regexp: {source: id, target: v}}]}]");
        awaitValue("by-certificate", "one");

        storage.run("patch", "secret", "bucket", "-p", "{\"stringData\":{\"id\":\"two\"}}");
        awaitValue("by-token", "two");
        awaitValue("by-account", "two");
        storage.run("delete", "rolebinding", "reader");
        kubectl.await("externalsecrets/by-account", READY, "SecretSyncedError");
        // Who looks first finds it out: the store, which says so in its condition, or the ExternalSecret.
        assertThat(kubectl.run("get", "externalsecret", "by-account", "-o", "jsonpath={.status.cause}"))
                .containsAnyOf("cannot get resource \"secrets\"", "SecretStore \"by-account\" is not ready")
                .doesNotContain(token);
        assertThat(kubectl.run("get", "events", "-o", "yaml")).doesNotContain(token);
        awaitValue("by-account", "two");
    }

    @Test
    void tokensDoNotGoOverTheNetworkForEverybodyToRead() {
        var refused = kubectl.attempt("""
                apiVersion: external-secrets.io/v1
                kind: SecretStore
                metadata: {name: open}
                spec: {provider: {kubernetes: {server: {url: "http://10.0.0.1"}, auth: {serviceAccount: {name: a}}}}}
                """, Map.of(), "apply", "-f", "-");
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.err()).contains("server.url must begin with https://");
    }

    @Test
    void aWebServerIsAsked() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean isKnown = "hush".equals(exchange.getRequestHeaders().getFirst("X-Token"));
            var body = "{\"data\":{\"value\":\"of %s\"}}"
                    .formatted(exchange.getRequestURI().getQuery())
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isKnown ? 200 : 403, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            apply("""
                    apiVersion: v1
                    kind: Secret
                    metadata: {name: token, labels: {external-secrets.io/type: webhook}}
                    stringData: {token: wrong}
                    """);
            applyStore("web", """
                    {webhook: {
                      url: "http://127.0.0.1:%d/?{{ .remoteRef.key }}", headers: {X-Token: "{{ .auth.token }}"},
                      result: {jsonPath: "$.data.value"}, secrets: [{name: auth, secretRef: {name: token}}]}}
                    """.formatted(server.getAddress().getPort()));
            applyExternalSecret("web", "data: [{secretKey: v, remoteRef: {key: db}}]");
            kubectl.await(
                    "externalsecrets/web",
                    "{.status.cause}",
                    "error processing spec.data[0] (key: db), err: endpoint gave error 403");
            kubectl.run("patch", "secret", "token", "-p", "{\"stringData\":{\"token\":\"hush\"}}");
            awaitValue("web", "of db");
        } finally {
            server.stop(0);
        }
    }

    /// The password of ADR-042's Gitea, which its operator writes into a status.
    @Test
    void aFieldOfAnObjectIsReadByTheRightsOfAnAccount() {
        kubectl.run("create", "serviceaccount", "reader");
        storage.run("create", "configmap", "gitea.with.admin", "--from-literal=adminPassword=one");
        applyStore(
                "object",
                "{object: {apiVersion: v1, kind: ConfigMap, namespace: STORAGE, auth: {serviceAccount: {name:"
                        + " reader}}}}");
        applyExternalSecret(
                "object", "data: [{secretKey: v, remoteRef: {key: gitea.with.admin, property: data.adminPassword}}]");
        kubectl.await("secretstores/object", READY, "InvalidProviderConfig");
        storage.run("create", "role", "reader", "--verb=get", "--resource=configmaps");
        storage.run(
                "create",
                "rolebinding",
                "reader",
                "--role=reader",
                "--serviceaccount=" + kubectl.namespace() + ":reader");
        awaitValue("object", "one");
        storage.run("patch", "configmap", "gitea.with.admin", "-p", "{\"data\":{\"adminPassword\":\"two\"}}");
        awaitValue("object", "two");
    }

    /// ES-14, and a ClusterExternalSecret that brings what was made to every namespace that is chosen.
    @Test
    void whatAGeneratorMadeIsPushedAndHandedOut() {
        kubectl.run("create", "serviceaccount", "writer");
        storage.run("create", "role", "writer", "--verb=*", "--resource=secrets");
        storage.run(
                "create",
                "rolebinding",
                "writer",
                "--role=writer",
                "--serviceaccount=" + kubectl.namespace() + ":writer");
        applyStore("store", "{kubernetes: {auth: {serviceAccount: {name: writer}}, remoteNamespace: STORAGE}}");
        apply("""
                apiVersion: generators.external-secrets.io/v1alpha1
                kind: Password
                metadata: {name: strong}
                spec: {length: 30, symbols: 0}
                ---
                apiVersion: external-secrets.io/v1
                kind: ExternalSecret
                metadata: {name: made}
                spec:
                  refreshInterval: 1h
                  dataFrom: [{sourceRef: {generatorRef: {kind: Password, name: strong}}}]
                ---
                apiVersion: external-secrets.io/v1alpha1
                kind: PushSecret
                metadata: {name: push}
                spec:
                  deletionPolicy: Delete
                  secretStoreRefs: [{name: store}]
                  selector: {secret: {name: made}}
                  data: [{match: {secretKey: password, remoteRef: {remoteKey: pushed, property: v}}}]
                """);
        kubectl.await("pushsecrets/push", READY, "Synced");
        var password = kubectl.run("get", "secret", "made", "-o", "jsonpath={.data.password}");
        assertThat(Base64.getDecoder().decode(password)).hasSize(30);
        assertThat(storage.run("get", "secret", "pushed", "-o", "jsonpath={.data.v}"))
                .isEqualTo(password);
        assertThat(kubectl.run("get", "ps", "push", "-o", "jsonpath={.status.syncedPushSecrets}"))
                .contains("\"SecretStore/store\":{\"pushed/v\":");

        storage.run("label", "namespace", storage.namespace(), "wants=" + kubectl.namespace());
        apply("""
                apiVersion: external-secrets.io/v1
                kind: ClusterExternalSecret
                metadata: {name: NAME}
                spec:
                  externalSecretName: handed-out
                  namespaceSelectors: [{matchLabels: {wants: NAME}}]
                  externalSecretSpec:
                    dataFrom: [{sourceRef: {generatorRef: {kind: ClusterGenerator, name: NAME}}}]
                ---
                apiVersion: generators.external-secrets.io/v1alpha1
                kind: ClusterGenerator
                metadata: {name: NAME}
                spec: {kind: Fake, generator: {fakeSpec: {data: {v: all}}}}
                """.replace("NAME", kubectl.namespace()));
        storage.await("secrets/handed-out", "{.data.v}", "YWxs");
        kubectl.await(
                "ces/" + kubectl.namespace(), "{.status.provisionedNamespaces}", "[\"" + storage.namespace() + "\"]");
        kubectl.run("delete", "ces", kubectl.namespace(), "--timeout=120s");
        storage.run("wait", "--for=delete", "secret/handed-out", "--timeout=120s");

        kubectl.run("delete", "pushsecret", "push", "--timeout=120s");
        assertThat(storage.attempt("get", "secret", "pushed").exit()).isNotZero();
    }
}
