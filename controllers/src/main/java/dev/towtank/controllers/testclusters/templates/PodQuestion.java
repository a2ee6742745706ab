package dev.towtank.controllers.testclusters.templates;

import dev.towtank.model.Resource;

/// What the containers of a pod have said. The same pod is asked about once, however its object changes.
public record PodQuestion(Resource pod) {

    @Override
    public boolean equals(Object other) {
        return other instanceof PodQuestion question && question.pod.uid().equals(pod.uid());
    }

    @Override
    public int hashCode() {
        return pod.uid().hashCode();
    }
}
