package dev.towtank.system;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/// Somebody who may ask for clusters in a namespace of their own.
///
/// @param kubectl of the administrator, in that namespace
/// @param files where kubeconfigs are put
record ClusterTenant(Kubectl kubectl, Path files) {

    static ClusterTenant in(SharedServer server, Path files) {
        var kubectl = server.inNewNamespace();
        kubectl.run("create", "serviceaccount", "tester");
        kubectl.run(
                "create",
                "rolebinding",
                "tester",
                "--clusterrole=cluster-templates-user",
                "--serviceaccount=" + kubectl.namespace() + ":tester");
        return new ClusterTenant(kubectl, files);
    }

    String account() {
        return "system:serviceaccount:" + kubectl.namespace() + ":tester";
    }

    /// @param fields further fields of the spec, in their lines
    static String instance(String name, String template, String fields) {
        return """
                ---
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplateInstance
                metadata:
                  name: %s
                spec:
                  clusterTemplateRef: %s
                """.formatted(name, template) + fields;
    }

    static String parameter(String name, String value) {
        return "  parameters: [{name: \"" + name + "\", value: \"" + value + "\"}]\n";
    }

    /// With an annotation by which the cluster does not come about.
    static String faulty(String yaml, String annotations) {
        return yaml.replaceFirst("(?m)^  name: (.*)$", "  name: $1\n  annotations: {" + annotations + "}");
    }

    void apply(String yaml) {
        kubectl.withInput(yaml, "apply", "-f", "-");
    }

    void ask(String name, String template, String fields) {
        apply(instance(name, template, fields));
    }

    /// Asks for many instances, all at the same time.
    ///
    /// @return why some were refused
    List<String> askAtOnce(List<String> instances) {
        var refused = Collections.synchronizedList(new ArrayList<String>());
        var start = new CountDownLatch(1);
        try (var client = Fabric8.client(kubectl.kubeconfig());
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var yaml : instances) {
                clients.execute(() -> {
                    try {
                        start.await();
                        client.resource(yaml).inNamespace(kubectl.namespace()).create();
                    } catch (KubernetesClientException e) {
                        refused.add(String.valueOf(e.getMessage()));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
            start.countDown();
        }
        return refused;
    }

    Program.Outcome attempt(String yaml) {
        return kubectl.attempt(yaml, Map.of(), "create", "-f", "-");
    }

    void awaitReady(String name) {
        awaitPhase(name, "Ready");
    }

    void awaitPhase(String name, String phase) {
        kubectl.await("clustertemplateinstances/" + name, "{.status.phase}", phase);
    }

    String get(String name, String path) {
        return kubectl.run("get", "cti", name, "-o", "jsonpath=" + path);
    }

    String condition(String name, String type, String field) {
        return get(name, "{.status.conditions[?(@.type==\"" + type + "\")]." + field + "}");
    }

    Kubectl inside(String name) {
        return inside(kubectl, name + "-admin-kubeconfig");
    }

    Kubectl inside(Kubectl where, String secret) {
        var text = where.run("get", "secret", secret, "-o", "jsonpath={.data.kubeconfig}");
        var file = files.resolve(where.namespace() + "-" + secret);
        try {
            Files.writeString(file, new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Kubectl.newest(file, "default");
    }

    /// A template of an administrator, with a chart in git.
    ///
    /// @param namespace where the chart's objects go
    /// @param fixed parameters of the set, as YAML
    void template(String name, String url, String namespace, String fixed) {
        kubectl.withInput("""
                apiVersion: clustertemplate.openshift.io/v1alpha1
                kind: ClusterTemplate
                metadata: {name: %1$s}
                spec: {clusterDefinition: %1$s, skipClusterRegistration: true}
                """.formatted(name), "apply", "-f", "-");
        set(name, url, namespace, fixed);
    }

    void set(String name, String url, String namespace, String fixed) {
        kubectl.in("argocd").withInput("""
                apiVersion: argoproj.io/v1alpha1
                kind: ApplicationSet
                metadata: {name: %s}
                spec:
                  generators: [{}]
                  template:
                    metadata: {name: unused}
                    spec:
                      project: default
                      destination: {server: "{{ url }}", namespace: "%s"}
                      source:
                        repoURL: "%s"
                        path: chart
                        targetRevision: main
                        helm: {parameters: %s}
                      syncPolicy: {automated: {}}
                """.formatted(name, namespace, url, fixed), "apply", "-f", "-");
    }

    /// A chart in a repository of its own.
    String chart(String values, String schema, String template) {
        var repository = GitRepository.in(files)
                .with("chart/Chart.yaml", "{apiVersion: v2, name: made, version: 0.1.0}\n")
                .with("chart/values.yaml", values)
                .with("chart/templates/all.yaml", template);
        if (!schema.isEmpty()) {
            repository.with("chart/values.schema.json", schema);
        }
        repository.commit();
        return repository.url();
    }
}
