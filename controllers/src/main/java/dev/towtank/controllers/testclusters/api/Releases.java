package dev.towtank.controllers.testclusters.api;

/// Images of releases of OpenShift.
public final class Releases {

    private Releases() {}

    /// `quay.io/openshift-release-dev/ocp-release:4.19.3-multi` is a 4.19.3.
    public static String version(String image) {
        var tag = image.substring(image.lastIndexOf(':') + 1);
        int dash = tag.indexOf('-');
        return image.contains(":") ? dash < 0 ? tag : tag.substring(0, dash) : "";
    }
}
