package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.linux.SystemCallFilter.Architecture;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SystemCallFilterTest {

    private static final int ALLOWED = 0x7fff0000;
    private static final int EPERM = 0x00050001;
    private static final int ENOSYS = 0x00050026;
    private static final int KILLED = 0x80000000;

    private static int arch(Architecture architecture) {
        return architecture == Architecture.X86 ? 0xc000003e : 0xc00000b7;
    }

    /// Does what the kernel would do.
    private static int answer(SystemCallFilter filter, int architecture, int number, long argument) {
        var code = ByteBuffer.wrap(filter.program()).order(ByteOrder.LITTLE_ENDIAN);
        var data = ByteBuffer.allocate(64)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(number)
                .putInt(architecture)
                .putLong(0)
                .putLong(argument);
        int value = 0;
        int at = 0;
        while (true) {
            int operation = code.getShort(at);
            int then = code.get(at + 2) & 0xff;
            int otherwise = code.get(at + 3) & 0xff;
            int constant = code.getInt(at + 4);
            at += 8;
            switch (operation) {
                case 0x20 -> value = data.getInt(constant);
                case 0x06 -> {
                    return constant;
                }
                case 0x15 -> at += 8 * (value == constant ? then : otherwise);
                case 0x35 -> at += 8 * (Integer.compareUnsigned(value, constant) >= 0 ? then : otherwise);
                case 0x45 -> at += 8 * ((value & constant) != 0 ? then : otherwise);
                default -> throw new AssertionError("unknown instruction " + operation);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatIsOnTheListAndNothingElse(Architecture architecture) {
        var filter = SystemCallFilter.of(architecture);
        for (int number = 0; number < 600; number++) {
            boolean isUnknown = number == 435 || number >= 470;
            int expected = filter.refused().contains(number) ? EPERM : isUnknown ? ENOSYS : ALLOWED;
            assertThat(answer(filter, arch(architecture), number, 0))
                    .as("call " + number)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "X86, 56, 0x01200011, true", // what fork asks for
        "X86, 56, 0x003d0f00, true", // what a thread asks for
        "X86, 56, 0x10000000, false",
        "X86, 56, 0x00020000, false",
        "ARM, 220, 0x01200011, true",
        "ARM, 220, 0x20000000, false",
        "X86, 41, 2, true",
        "X86, 41, 40, false",
        "ARM, 198, 10, true",
        "ARM, 198, 40, false"
    })
    void looksAtArguments(Architecture architecture, int number, String argument, boolean allowed) {
        assertThat(answer(SystemCallFilter.of(architecture), arch(architecture), number, Long.decode(argument)))
                .isEqualTo(allowed ? ALLOWED : EPERM);
    }

    @Test
    void trustsNoNumbersOfOtherArchitectures() {
        assertThat(answer(SystemCallFilter.of(Architecture.X86), 0x40000003, 1, 0))
                .isEqualTo(KILLED);
        assertThat(answer(SystemCallFilter.of(Architecture.X86), arch(Architecture.X86), 0x40000000 | 1, 0))
                .isEqualTo(ENOSYS);
    }

    @ParameterizedTest
    @EnumSource
    void letsIn(Architecture architecture) {
        var filter = SystemCallFilter.of(architecture);
        int setns = SystemCallFilter.numbers(architecture).get("setns");
        assertThat(answer(filter, arch(architecture), setns, 0)).isEqualTo(EPERM);
        assertThat(answer(filter.entering(), arch(architecture), setns, 0)).isEqualTo(ALLOWED);
        int mount = SystemCallFilter.numbers(architecture).get("mount");
        assertThat(answer(filter.entering(), arch(architecture), mount, 0)).isEqualTo(EPERM);
    }

    @ParameterizedTest
    @CsvSource({
        "X86, 165, 0, 0x7fff0000", // mount
        "X86, 272, 0x20000, 0x7fff0000", // unshare: mounts
        "X86, 272, 0x2c020000, 0x7fff0000", // processes, ipc, names
        "X86, 272, 0x02020000, 0x00050001", // cgroups
        "X86, 272, 0x10000000, 0x00050001", // users
        "X86, 272, 0x40000000, 0x00050001", // network
        "X86, 272, 0x80, 0x00050001", // time
        "X86, 56, 0x00020011, 0x7fff0000",
        "X86, 56, 0x10020011, 0x00050001",
        "X86, 116, 1, 0x00050000", // setgroups: done, without being done
        "X86, 308, 0, 0x00050001", // setns
        "X86, 427, 0, 0x00050001", // io_uring_register
        "X86, 428, 0, 0x00050026", // open_tree
        "X86, 433, 0, 0x00050026", // fspick
        "X86, 434, 0, 0x7fff0000", // pidfd_open
        "X86, 442, 0, 0x00050026", // mount_setattr
        "X86, 443, 0, 0x00050001", // quotactl_fd
        "X86, 41, 40, 0x00050001",
        "ARM, 40, 0, 0x7fff0000",
        "ARM, 97, 0x20000, 0x7fff0000",
        "ARM, 97, 0x40000000, 0x00050001",
        "ARM, 220, 0x02000011, 0x00050001",
        "ARM, 159, 1, 0x00050000"
    })
    void letsBuildersMakeMountsOfTheirOwn(Architecture architecture, int number, String argument, String answer) {
        var filter = SystemCallFilter.of(architecture).building();
        assertThat(answer(filter, arch(architecture), number, Long.decode(argument)))
                .isEqualTo(Integer.decode(answer));
    }
}
