package dev.towtank.system;

/// Objects for repositories of tests.
final class ApplicationYaml {

    private ApplicationYaml() {}

    static String configMap(String name, String annotations) {
        return """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: %s, annotations: {%s}}
                data: {key: "1"}
                """.formatted(name, annotations);
    }

    static String job(String name, String annotations, String script) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s, annotations: {%s}}
                spec:
                  backoffLimit: 0
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: "alpine:3.20", command: [sh, -c, "%s"]}]
                """.formatted(name, annotations, script);
    }

    static String wave(int wave) {
        return "argocd.argoproj.io/sync-wave: '" + wave + "'";
    }

    static String hook(String phase) {
        return "argocd.argoproj.io/hook: " + phase;
    }
}
