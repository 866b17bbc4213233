"""What a change does to the boards, as one report. Pure: boards in, values and text out."""
