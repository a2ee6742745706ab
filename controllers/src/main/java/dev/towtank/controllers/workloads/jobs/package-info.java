/// Jobs run pods until enough of them have succeeded; CronJobs make Jobs at their times.
///
/// Every pod of a Job carries a finalizer until it is counted, and its uid stands in the status of the Job while the
/// finalizer goes: so each pod counts exactly once, whenever the process dies.
@NullMarked
package dev.towtank.controllers.workloads.jobs;

import org.jspecify.annotations.NullMarked;
