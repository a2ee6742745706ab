package dev.towtank.node.probes;

/// How one probe went.
///
/// @param output what to tell when it failed
/// @param error the probe itself could not be done
public record ProbeOutcome(boolean success, boolean error, String output) {

    private static final int LONGEST_OUTPUT = 1024;

    public ProbeOutcome {
        output = output.length() <= LONGEST_OUTPUT ? output : output.substring(0, LONGEST_OUTPUT);
    }

    public static final ProbeOutcome SUCCESS = new ProbeOutcome(true, false, "");

    public static ProbeOutcome failed(String output) {
        return new ProbeOutcome(false, false, output);
    }

    public static ProbeOutcome error(String why) {
        return new ProbeOutcome(false, true, why);
    }

    /// The text of the Unhealthy event.
    public String message(Probe.Purpose purpose) {
        return error
                ? purpose.title() + " probe errored and resulted in unknown state: " + output
                : purpose.title() + " probe failed: " + output;
    }
}
