package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Images that are pushed to the server's own registry, and pods that run on them.
class RegistryIT {

    private static final String ADDRESS = "image-registry.openshift-image-registry.svc:5000";

    /// Brings an image of the registry there under another name, as a build would: with the token and the authority
    /// that
    /// every pod has.
    private static final String PUSH = """
            apiVersion: tekton.dev/v1
            kind: TaskRun
            metadata: {name: push}
            spec:
              taskSpec:
                steps:
                - name: push
                  image: debian
                  script: |
                    cd /tmp
                    account=/var/run/secrets/kubernetes.io/serviceaccount
                    mkdir certs && cp $account/ca.crt certs/
                    skopeo --insecure-policy copy --src-cert-dir=certs --dest-cert-dir=certs \\
                      --src-creds=x:$(cat $account/token) --dest-creds=x:$(cat $account/token) \\
                      docker://ADDRESS/red/app:v1 docker://ADDRESS/red/built:1
            """.replace("ADDRESS", ADDRESS);

    /// A step that says nothing of what is to be run.
    private static final String USE = """
            apiVersion: tekton.dev/v1
            kind: TaskRun
            metadata: {name: use}
            spec:
              taskSpec:
                steps: [{name: use, image: ADDRESS/red/built:1}]
            """.replace("ADDRESS", ADDRESS);

    @TempDir
    static Path directory;

    private static RunningTowtank server;
    private static Kubectl red;
    private static Kubectl blue;
    private static String registry;
    private static SmallImage image;

    @BeforeAll
    static void open() throws Exception {
        int port = FreePort.choose();
        registry = "127.0.0.1:" + port;
        server = RunningTowtank.start("--registry=" + port);
        red = Kubectl.newest(server.kubeconfig(), "red");
        blue = red.in("blue");
        image = SmallImage.make(directory);
        for (var each : List.of(red, blue)) {
            each.run("create", "namespace", each.namespace());
            each.await("serviceaccount/default", "{.metadata.name}", "default");
        }
        Eventually.listens("127.0.0.1", port);
        push(red, "red/app:v1");
        awaitService();
    }

    /// By which pods reach the registry.
    private static void awaitService() {
        var place = red.in("openshift-image-registry");
        Eventually.holds(() -> {
            var address = place.run("get", "service", "image-registry", "-o", "jsonpath={.spec.clusterIP}");
            new Socket(address, 5000).close();
        });
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static void push(Kubectl who, String name) throws Exception {
        var token = who.run("create", "token", "default").strip();
        image.copy("docker://" + registry + "/" + name, "--dest-tls-verify=false", "--dest-creds=x:" + token);
    }

    @Test
    void whatAPodPushesTheNextOneRuns() {
        red.withInput(PUSH, "create", "-f", "-");
        red.await("taskrun/push", "{.status.conditions[0].reason}", "Succeeded");
        red.withInput(USE, "create", "-f", "-");
        red.await("taskrun/use", "{.status.conditions[0].reason}", "Succeeded");

        assertThat(red.run("logs", "use-pod")).isEqualTo("1234\nreal\n/srv/work\n");
        assertThat(red.run("get", "taskrun", "use", "-o", "jsonpath={.status.steps[0].imageID}"))
                .startsWith(ADDRESS + "/red/built@sha256:");
    }

    @Test
    void aNamespaceHasItsImagesForItself() {
        assertThatThrownBy(() -> push(blue, "red/app:stolen")).hasMessageContaining("403");
        red.run("run", "mine", "--image=" + ADDRESS + "/red/app:v1", "--restart=Never");
        red.await("pod/mine", "{.status.phase}", "Succeeded");
        // The image is on the machine by now, which gives nobody a right to it.
        blue.run("run", "theirs", "--image=" + ADDRESS + "/red/app:v1", "--restart=Never");
        SmallImage.awaitRefused(blue, "theirs");
        assertThat(blue.run("get", "pod", "theirs", "-o", "jsonpath={..waiting.message}"))
                .contains("DENIED")
                .contains("system:serviceaccount:blue:default may not pull from red");
    }
}
