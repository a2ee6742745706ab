package dev.towtank.system;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A test of one Application with a repository and a namespace of its own.
abstract class ApplicationCase {

    static final String AUTOMATED = "syncPolicy: {automated: {prune: true, selfHeal: true}, retry: {limit: 0}}";

    @TempDir
    Path directory;

    GitRepository repository;
    Kubectl kubectl;
    Kubectl argocd;
    String name;

    abstract SharedServer server();

    @BeforeEach
    void makeRepository() {
        repository = GitRepository.in(directory);
        kubectl = server().inNewNamespace();
        argocd = kubectl.in("argocd");
        name = "app-" + kubectl.namespace();
    }

    /// @param more of its spec, such as its syncPolicy
    void apply(String path, String more) {
        applyTo("{server: \"https://kubernetes.default.svc\", namespace: " + kubectl.namespace() + "}", path, more);
    }

    void applyTo(String destination, String path, String more) {
        applyIn("default", destination, path, more);
    }

    void applyIn(String project, String destination, String path, String more) {
        argocd.withInput(
                """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: %s, finalizers: [resources-finalizer.argocd.argoproj.io]}
                spec:
                  project: %s
                  destination: %s
                  source: {repoURL: "%s", targetRevision: main, path: %s}
                %s
                """.formatted(name, project, destination, repository.url(), path, more.indent(2)), "apply", "-f", "-");
    }

    void await(String path, String value) {
        argocd.await("applications/" + name, path, value);
    }

    void awaitHealthy() {
        await(
                "{.status.sync.status}/{.status.health.status}/{.status.operationState.phase}",
                "Synced/Healthy/Succeeded");
    }

    String status(String path) {
        return argocd.run("get", "application", name, "-o", "jsonpath=" + path);
    }

    String names(String kind) {
        return kubectl.run("get", kind, "-o", "name");
    }
}
