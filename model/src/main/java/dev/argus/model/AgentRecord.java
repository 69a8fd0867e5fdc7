package dev.argus.model;

/** What an agent ships to whoever diagnoses: the summary lane, record by record. Names are ids of one table. */
public sealed interface AgentRecord
        permits RankDeclaration,
                StepDigest,
                KernelWindow,
                SideRecord,
                RecordLoss,
                RankState,
                OverheadReading,
                AgentTick,
                OpaqueRecord {}
