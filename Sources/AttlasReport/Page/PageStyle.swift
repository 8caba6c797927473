/// The style of a page.
enum PageStyle {
    /// Base64 of its SHA-256; a test holds it against the text.
    static let hash: StaticString = "VdU0yrgFFnQ7P0YiMABJVRRZmNVmnP8XRSOxv8FZZAA="

    static let text: StaticString = """

        :root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --faint: #57606a; --line: #d0d7de; --panel: #f6f8fa;
          --accent: #0b5cad; --bar: #9ec5ea; --encrypted: #4a92d4; --bar-ink: #041e38; --second: #b35309; --bad: #b3261e; --warn: #855300;
          --badge-ink: #fff; --select: #ffd33d55; }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #0d1117; --ink: #e6edf3; --faint: #9da7b1; --line: #30363d; --panel: #161b22; --accent: #6cb6ff;
            --bar: #2b5480; --encrypted: #3576b8; --bar-ink: #fff; --second: #f0a04b; --bad: #ff8a80; --warn: #e3b341; --badge-ink: #0d1117;
            --select: #e3b34144; }
        }
        * { box-sizing: border-box; }
        html { scroll-padding-top: 3rem; }
        body { margin: 0 auto; padding: 0 1.25rem 3rem; max-width: 84rem; background: var(--paper); color: var(--ink);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
        header { margin: 1.5rem 0 1rem; }
        header h1 { margin: 0; font-size: 1.7rem; line-height: 1.2; }
        header p, footer p { margin: .25rem 0; color: var(--faint); }
        h2 { margin: 2rem 0 .5rem; font-size: 1.25rem; }
        .heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        h3 { margin: 2.25rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); font-size: 1.15rem; }
        h4 { margin: 1rem 0 .5rem; font-size: 1rem; }
        a { color: var(--accent); }
        code, .handle, .at, .when, td.n, td.k { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .87em; }
        .faint, .known, .note, .handle, .when, dt { color: var(--faint); }
        .known { font-size: .85em; }
        .bad { color: var(--bad); }
        nav { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .5rem 0;
          background: var(--paper); border-bottom: 1px solid var(--line); }
        .shapes { position: absolute; }
        .wrong { padding: .25rem 1rem; border-left: 4px solid var(--accent); background: var(--panel); }
        .wrong p { margin: .4rem 0; }
        .facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .5rem 1.5rem; margin: 1rem 0; }
        .limits summary { font-weight: 400; }
        .limits li:has(details) { list-style: none; margin-left: -1rem; }
        .limits details p { margin: .25rem 0 .25rem 1rem; color: var(--faint); }
        .facts .wide { grid-column: span 2; }
        dd { margin: 0; }
        dt { font-size: .85em; }
        .finding, .connection { margin: 1rem 0; padding: .25rem 1rem .75rem; border: 1px solid var(--line); border-radius: 6px; }
        .connection { padding-bottom: 0; }
        article.finding:not(:has(li:not([hidden]), .note)), .connection .scroll:not(:has(tbody tr:not([hidden]))) { display: none; }
        .badge { display: inline-block; padding: 0 .5rem; border-radius: 1rem; background: var(--faint); color: var(--badge-ink);
          font-size: .8em; }
        .badge.error { background: var(--bad); }
        .badge.warning { background: var(--warn); }
        .places { margin: .5rem 0; padding-left: 1.25rem; }
        .why { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0; }
        .scroll { margin: .75rem 0; overflow: auto; border: 1px solid var(--line); border-radius: 6px; }
        .tall { max-height: 36rem; }
        table { width: 100%; border-collapse: collapse; font-size: .9rem; overflow-wrap: normal; }
        caption { padding: .4rem .6rem; text-align: left; font-weight: 600; }
        th, td { padding: .2rem .6rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
        thead th { color: var(--faint); font-weight: 500; white-space: nowrap; }
        .tall thead th { position: sticky; top: 0; background: var(--paper); }
        tbody th { min-width: 14rem; font-weight: 500; }
        #c0-summary tbody th { min-width: 5.5rem; }
        th.n { text-align: right; }
        td.k { white-space: nowrap; }
        td { min-width: 6rem; max-width: 32rem; overflow-wrap: anywhere; }
        td.w { min-width: 15rem; }
        td.n { min-width: 0; max-width: none; text-align: right; white-space: nowrap; }
        tr:target, tr:target td { background: var(--select); }
        tr.event td { background: var(--panel); }
        .left-out td { text-align: center; color: var(--faint); }
        .tree { margin: .75rem 0; }
        summary { font-weight: 600; cursor: pointer; }
        .tree ul { margin: .2rem 0; padding-left: 1.2rem; list-style: none; border-left: 1px solid var(--line); }
        .tree li { margin: .15rem 0; }
        .value { padding: 0 .3rem; border-radius: 4px; background: var(--panel); }
        .value:empty { display: none; }
        .steps { margin: .25rem 0; padding: 0; list-style: none; }
        .steps .at { display: inline-block; min-width: 7rem; text-align: right; padding-right: .75rem; color: var(--faint); }
        .controls, .search { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .6rem; margin: .5rem 0; }
        .controls[hidden], .search[hidden] { display: none; }
        .controls p { flex-basis: 100%; margin: 0; color: var(--faint); font-size: .85rem; }
        .controls output, .search output { color: var(--faint); }
        input, button, select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 4px;
          padding: .15rem .5rem; }
        button { background: var(--panel); cursor: pointer; }
        input[type=number] { width: 8.5rem; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        .time { position: relative; touch-action: pan-y; user-select: none; }
        p.lane { margin: .5rem 0 0; font-size: .9rem; font-weight: 600; }
        svg.lane { display: block; background: var(--panel); border-radius: 4px; cursor: crosshair;
          overflow-clip-margin: 7px; }
        .axis { stroke: var(--line); }
        .bar { fill: var(--bar); }
        .bar.encrypted { fill: var(--encrypted); }
        svg.lane text { fill: var(--bar-ink); font-size: 11px; pointer-events: none; }
        .change { fill: var(--faint); }
        .security { fill: var(--encrypted); }
        .subscription { fill: var(--accent); }
        .error { fill: none; stroke: var(--bad); stroke-width: 2.5; }
        .badge.error { stroke: none; }
        use.finding { fill: var(--warn); }
        use.end { fill: var(--ink); }
        .loss { fill: var(--bad); }
        [data-frame] { cursor: pointer; }
        use:target { stroke: var(--ink); stroke-width: 3; paint-order: stroke; }
        .legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .5rem 0; font-size: .85rem; color: var(--faint); }
        .legend span { display: inline-flex; align-items: center; gap: .3rem; }
        .ticks { display: flex; justify-content: space-between; margin: .1rem 0 0; font-size: .75rem; color: var(--faint); }
        .chosen { position: absolute; top: 0; bottom: 0; background: var(--select); pointer-events: none; }
        .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.25rem 2rem; }
        figure { margin: 0; min-width: 0; }
        figcaption { margin-bottom: .3rem; font-size: .9rem; }
        .frame { display: grid; grid-template-columns: max-content 1fr; grid-auto-flow: column; gap: .4rem; }
        .scale { display: flex; flex-direction: column; justify-content: space-between; height: 110px; margin: 0; text-align: right;
          font-size: .75rem; color: var(--faint); }
        svg.plot { display: block; width: 100%; height: 110px; background: var(--panel); border-radius: 4px; cursor: crosshair;
          overflow-clip-margin: 3px; }
        .line { fill: none; stroke: var(--accent); stroke-width: 1.6px; stroke-linecap: round; stroke-linejoin: round;
          vector-effect: non-scaling-stroke; }
        .dots { stroke-width: 5px; }
        .line.second { stroke: var(--second); }
        .scale.second { text-align: left; color: var(--second); }
        figcaption select { max-width: 100%; margin-left: .4rem; font-size: .85em; }
        .states { display: flex; flex-wrap: wrap; gap: 0 .6rem; margin: .3rem 0 .1rem; font-size: .75rem; color: var(--faint); }
        .states span { display: inline-flex; align-items: center; gap: .25rem; }
        svg.band { display: block; width: 100%; height: 10px; background: var(--panel); cursor: crosshair; }
        .on, .s0 { fill: var(--accent); }
        .off, .s1 { fill: var(--bar); }
        .absent, .s2 { fill: var(--line); }
        .s3 { fill: var(--second); }
        .s4 { fill: var(--faint); }
        .s5 { fill: var(--ink); }
        .fast { fill: var(--warn); }
        .gap { fill: var(--line); opacity: .6; }
        .histogram { width: 96px; height: 20px; fill: var(--accent); }
        .channels { width: 100%; height: 60px; fill: var(--accent); }
        .lifelines { display: flex; justify-content: space-between; margin: 0; padding: .4rem 5rem .4rem 11rem; font-weight: 600;
          position: sticky; top: 0; background: var(--paper); border-bottom: 1px solid var(--line); z-index: 1; }
        .sequence { margin: 0; padding: 0 .5rem 0 0; list-style: none; }
        .sequence li { display: grid; grid-template-columns: 10.5rem 1fr; gap: .5rem; }
        .sequence li[hidden] { display: none; }
        .when { padding: .3rem 0 0 .6rem; }
        .sequence div { position: relative; margin-right: 4.5rem; padding: .25rem 0; border: solid var(--line); border-width: 0 2px; }
        .sequence p { margin: 0; padding: 0 .8rem; font-size: .9rem; text-align: center; }
        .event { color: var(--faint); font-style: italic; }
        .event.bad { color: var(--bad); }
        .rtt { position: absolute; left: calc(100% + .6rem); top: 50%; transform: translateY(-50%); white-space: nowrap;
          font-size: .8rem; color: var(--faint); }
        .pair div::after { content: ""; position: absolute; left: calc(100% + 4px); top: 1.6rem; bottom: .6rem; width: 4px;
          border: solid var(--faint); border-width: 1px 1px 1px 0; }
        .arrow { display: block; position: relative; margin: 4px 0 3px; border-top: 2px solid var(--accent); }
        .tx::after, .rx::after { content: ""; position: absolute; top: -5px; border: 4px solid transparent; }
        .tx::after { right: 0; border-left: 8px solid var(--accent); border-right: 0; }
        .rx::after { left: 0; border-right: 8px solid var(--accent); border-left: 0; }
        .count { font-weight: 600; }
        @media (max-width: 40rem) {
          body { padding: 0 .75rem 2rem; }
          nav { position: static; gap: .25rem .75rem; }
          .facts { grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); }
          .why { grid-template-columns: 1fr; }
          .why dd { margin-bottom: .4rem; }
          .finding, .connection { padding-left: .6rem; padding-right: .6rem; }
          .steps .at { min-width: 0; text-align: left; }
          .sequence li { grid-template-columns: 1fr; gap: 0; }
          .sequence div { margin-left: .5rem; }
          .when br { display: none; }
          .lifelines { padding: .4rem 4.5rem .4rem .6rem; }
          .ticks span:nth-child(even) { display: none; }
        }
        @media print {
          body { max-width: none; padding: 0; font-size: 10pt; }
          nav, .controls, .search, figcaption select { display: none; }
          details::details-content { content-visibility: visible; height: auto; }
          .plots { grid-template-columns: 1fr 1fr; }
          .scroll, .tall { overflow: visible; max-height: none; border: 0; }
          .tall thead th, .lifelines { position: static; }
          table { font-size: 7.5pt; }
          th, td { padding: .1rem .25rem; }
          tbody th, td { min-width: 0; }
          td.n { white-space: normal; overflow-wrap: normal; }
          tr, figure, li, svg, .finding { break-inside: avoid; }
          h3, h4, h3 + p { break-after: avoid; }
          * { print-color-adjust: exact; }
        }

        """
}
