/// What this machine can do for Towtank, and the command that adds what is missing.
///
/// [Doctor] asks an [ExaminedMachine] and makes [Finding]s of what it says; [Diagnosis] is all of them, for people
/// and programs.
@NullMarked
package dev.towtank.app.doctor;

import org.jspecify.annotations.NullMarked;
