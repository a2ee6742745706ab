package dev.towtank.node.volumes;

/// A volume that cannot be made ready, or a mount that is refused, in the kubelet's words.
public final class VolumeProblem extends Exception {

    private static final long serialVersionUID = 1;

    public VolumeProblem(String message) {
        super(message, null, false, false);
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
