package dev.towtank.node.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodCapacityTest {

    @ParameterizedTest
    @CsvSource({
        "16, 4194304, unlimited, 1048576, 2048", // memory
        "64, 32768, unlimited, 1048576, 4096", // numbers of processes
        "64, 4194304, 16000, 1048576, 2000", // processes of the user
        "64, 4194304, unlimited, 20000, 2500", // open files
        "1, 4194304, unlimited, 1024, 128",
        "0, 0, 0, 0, 110",
        "999, 4194304, unlimited, 1048576, 5000"
    })
    void followsWhatIsShort(long gibibytes, long numbers, String processes, String files, int pods) {
        var limits = """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             11                   %-20s processes
                Max open files            22                   %-20s files
                Max locked memory         33                   33                   bytes
                """.formatted(processes, files);
        assertThat(PodCapacity.of(gibibytes << 30, limits, numbers)).isEqualTo(pods);
    }
}
