/// The command line: a class per command, which reads its options and lets the packages beside it do the work.
@NullMarked
package dev.towtank.app.command;

import org.jspecify.annotations.NullMarked;
